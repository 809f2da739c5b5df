"""A page on the loopback address with a desktop's live picture, through which a person drives it.

The address carries a token, `http://127.0.0.1:<port>/<token>/`, and nothing is answered without it. Another web page can
neither guess it nor connect with it: the Host must be this machine, and the page that connects must come from here.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from deskbench.core.faults import Misuse
from deskbench.core.ports import Desktop
from deskbench.web.live_hand import Workplace
from deskbench.web.live_messages import MESSAGE_LIMIT_BYTES
from deskbench.web.live_session import Session

SESSION_LIMIT = 8
CLOSING_SECONDS = 5
FAREWELL_SECONDS = 1
"""For telling the pages that the desktop is closed, before their connections are cut."""

HERE = {"127.0.0.1", "localhost", "::1"}

STATIC = Path(__file__).parent / "static"
FILES = {"": "live.html", "live.css": "live.css", "live.js": "live.js", "keys.js": "keys.js"}
MEDIA = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Door:
    """Lets in only requests that name this machine, carry the token and, for a WebSocket, come from this very page."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._may_enter(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await PlainTextResponse("Nothing is here without the whole address that deskbench printed.\n", 404)(scope, receive, send)

    def _may_enter(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        given = str(scope["path"]).split("/")[1].encode() if str(scope["path"]).startswith("/") else b""
        if not secrets.compare_digest(given, self._token):
            return False
        host = headers.get("host", "")
        if not _names_this_machine(host):
            return False
        return scope["type"] != "websocket" or headers.get("origin") == f"http://{host}"


def _names_this_machine(host: str) -> bool:
    """Whether a Host header says the loopback address; a foreign name that was made to point here does not."""
    try:
        return urlsplit(f"//{host}").hostname in HERE
    except ValueError:
        return False


def application(place: Workplace, token: str) -> ASGIApp:
    """The web application of one desktop."""

    async def file(request: Request) -> Response:
        found = FILES.get(request.path_params["name"])
        if found is None:
            return PlainTextResponse("No such page.\n", 404, headers=HEADERS)
        return Response((STATIC / found).read_bytes(), media_type=MEDIA[Path(found).suffix], headers=HEADERS)

    async def connection(websocket: WebSocket) -> None:
        if place.sessions >= SESSION_LIMIT:
            await websocket.close(1013)
            return
        with place.visited():
            await Session(websocket, place).run()

    routes = [WebSocketRoute("/{token}/socket", connection), Route("/{token}/{name:path}", file)]
    return Door(Starlette(routes=routes), token)


class Server(uvicorn.Server):
    """Uvicorn, ended by a signal without the signal being raised again: whoever called `serve` still has a desktop to close."""

    def __init__(self, config: uvicorn.Config, place: Workplace) -> None:
        super().__init__(config)
        self._place = place

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._place.closing.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._place.deserted.wait()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # `ended_by_signals` has them already, since before the address was told

    @contextmanager
    def ended_by_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end the serving, while the context lasts; a thread that is not the main one gets no signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, *_: object) -> None:
        self.should_exit = True

    def end_with(self, closed: threading.Event) -> None:
        """Wait for the event, then end; for a thread of its own."""
        closed.wait()
        self._end()


def serve(
    desktop: Desktop,
    *,
    port: int = 0,
    token: str | None = None,
    apps: Sequence[str] = (),
    on_ready: Callable[[str], None],
    until_closed: threading.Event | None = None,
) -> None:
    """Serve a desktop's page until Ctrl-C, SIGTERM or `until_closed` is set. The desktop stays open.

    `on_ready` is called with the address once the page can be opened; port 0 takes a free one. `apps` are the names that the
    page offers to open. `until_closed` is set on return, whoever ended it.
    """
    token = token or secrets.token_urlsafe(24)
    closed = until_closed or threading.Event()
    with _listening(port) as listener:
        try:
            asyncio.run(_serve(desktop, listener, token, apps, on_ready, closed))
        finally:
            closed.set()


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise Misuse(f"port {port} of 127.0.0.1 cannot be used ({error}); choose another, or none to get a free one") from error
        listener.listen(64)
        yield listener


async def _serve(
    desktop: Desktop, listener: socket.socket, token: str, apps: Sequence[str], on_ready: Callable[[str], None], closed: threading.Event
) -> None:
    place = Workplace(desktop, apps)
    config = uvicorn.Config(
        application(place, token),
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=MESSAGE_LIMIT_BYTES,
        ws_per_message_deflate=False,  # pictures do not get smaller by it
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    server = Server(config, place)
    told = threading.Thread(target=server.end_with, args=(closed,), name="deskbench-until-closed", daemon=True)
    told.start()
    try:
        with server.ended_by_signals():
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            on_ready(f"http://127.0.0.1:{listener.getsockname()[1]}/{token}/")
            await serving
    finally:
        place.close()
        closed.set()
        told.join()
