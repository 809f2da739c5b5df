"""Writes the assets of the code editor's tasks that cannot be written by hand: files in old encodings.

python3 packs/make_assets/code.py
"""

from pathlib import Path

CODE = Path(__file__).resolve().parents[1] / "code"

TEAS = """编号,品名,产地,规格,零售价,备注
CZ-01,西湖龙井,浙江杭州,50克,168.00,
CZ-02,黄山毛峰,安徽黄山,100克,136.00,
CZ-03,碧螺春,江苏苏州,100克,188.00,
CZ-04,信阳毛尖,河南信阳,100克,98.00,
CZ-05,蒙顶甘露,四川雅安,100克,112.00,新包装
CZ-06,安吉白茶,浙江湖州,50克,158.00,
CZ-07,六安瓜片,安徽六安,100克,128.00,
CZ-08,太平猴魁,安徽黄山,50克,218.00,礼盒另计
CZ-09,茉莉花茶,福建福州,100克,58.00,
"""


def spring_tea() -> None:
    """A price list as an old till on Windows exports it: GBK, lines ended by CR and LF."""
    (CODE / "spring-tea" / "price-list-gbk.csv").write_bytes(TEAS.replace("\n", "\r\n").encode("gbk"))


if __name__ == "__main__":
    spring_tea()
