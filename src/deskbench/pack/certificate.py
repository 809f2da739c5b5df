"""The certificate beside a task, as far as it can be read without proving anything: is there one, and does it still hold?"""

from __future__ import annotations

import json
from typing import Any

from deskbench.pack.load import CERTIFICATE, Family
from deskbench.pack.versions import checks_digest


def stored(family: Family) -> dict[str, Any]:
    """What the certificate beside a task says, or nothing."""
    try:
        found = json.loads((family.folder / CERTIFICATE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_current(family: Family) -> bool:
    """Whether a task has a certificate that was granted for it as it is, by the checks as they are."""
    found = stored(family)
    granted = found.get("objections") == [] and found.get("digest") == family.digest
    return granted and found.get("checks") == checks_digest(family.task.every_check)
