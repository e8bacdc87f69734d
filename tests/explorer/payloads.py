"""Pages whose every part is an attack on who looks at them: what they do is set `window.pwned` or leave the site."""

from __future__ import annotations

from pathlib import Path

RUN = "window.pwned=1"
SCRIPTS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}><script>{RUN}</script></svg>",
    f'<iframe srcdoc="<script>parent.{RUN}</script>" src=javascript:{RUN}></iframe>',
    f"<style>@import url(https://evil.invalid/style.css)</style><body onload={RUN}>",
    '<base href="https://evil.invalid/"><meta http-equiv=refresh content="0;url=https://evil.invalid/">',
    f'"><input autofocus onfocus={RUN}>',
    f'<math><mtext></p><style><a title="</style><img src onerror={RUN}>">',
)
"""HTML, as text and in titles."""
TARGETS = (
    f"javascript:{RUN}",
    f"JaVaScRiPt:{RUN}",
    f" javascript:{RUN}",
    f"java\\script:{RUN}",
    f"javascript&colon;{RUN}",
    f"&#106;avascript:{RUN}",
    f"\x01javascript:{RUN}",
    f"vbscript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    "data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==",
    "blob:https://evil.invalid/1",
    "file:///etc/passwd",
    "view-source:https://evil.invalid/",
    f'https://evil.invalid/" onmouseover="{RUN}',
)
"""Where links and images lead."""
MALFORMED = (
    "https://[",
    "http://%zz/",
    "https://a:99999999/",
    "http://[::1",
    "https://xn--a/",
    "//[",
    "//",
    "///",
    "http://",
    "//%zz/a",
    "//a:b",
    "/%zz",
    "%zz.md",
    "%",
    "%ff%fe.md#%zz",
    "#%zz",
    "?%zz",
    "../../../../%2e%2e/x.md",
    "https://a\u200b.invalid/",
    "https://\ufffd/",
    "http://a%00b/",
    "https://user:pass@[/",
    "#" * 50,
    "https://" + "a" * 70 + ".invalid/",
    "https://" + "a." * 30,
    "x:" + "y" * 60,
    "<" * 20,
)
"""What looks like an address and cannot be parsed as one, or nearly so."""


def write(folder: Path) -> None:
    """Pages with these, in folders and files whose names attack, too."""
    names = ("plain", f"<img src=x onerror={RUN}>", f"'><svg onload={RUN}>")
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.md").write_text(_page(name), "utf-8")
    (folder / "plain" / "index.md").write_text(f"# {SCRIPTS[0]}\n\n{SCRIPTS[1]} describes this folder.\n", "utf-8")
    (folder / "plain" / "addresses.md").write_text(_addresses(), "utf-8")
    (folder / "plain" / "mine.csv").write_text(f"payload,{SCRIPTS[1]}\n{SCRIPTS[0]},1\n", "utf-8")


def _addresses() -> str:
    """One page that holds every malformed address in every place, and a last line."""
    rows = [
        f"[link {i}]({href}) ![image {i}]({href}) [again][m{i}] <{href}> {href} [angle {i}](<{href}>)\n"
        for i, href in enumerate(MALFORMED)
    ]
    definitions = [f"[m{i}]: {href}" for i, href in enumerate(MALFORMED)]
    lists = [f"- [item]({href})\n- [ ] {href}\n" for href in MALFORMED]
    cells = ["| a | b |", "|---|---|", *(f"| [cell]({href}) | {href} |" for href in MALFORMED)]
    parts = ["# Malformed addresses", *rows, *definitions, "", *lists, "", *cells, "", "The last line of all."]
    return "\n".join(parts) + "\n"


def _page(name: str) -> str:
    parts = [f"---\ntitle: 'payload {SCRIPTS[1]}'\n---\n\n# payload {name}\n\n{SCRIPTS[0]}\n"]
    for number, script in enumerate(SCRIPTS):
        filler = " ".join(f"payload words of part {number} that fill the section {i}." for i in range(30))
        parts.append(f"\n## {script} part {number}\n\nInline {script} and `{script}`.\n\n{filler}\n")
        parts.append(f"\n```{script}\n{script}\n```\n")
        parts.append(f"\n| {script} | b |\n|---|---|\n| {script} | c |\n\n- {script}\n\n> {script}\n\n{script}\n")
    links = [f"[link]({target}) ![image]({target}) <{target}> [again][{i}]" for i, target in enumerate(TARGETS)]
    definitions = [f"[{i}]: {target}" for i, target in enumerate(TARGETS)]
    parts.append("\n## Links\n\n" + "\n\n".join(links) + "\n\n" + "\n".join(definitions) + "\n")
    parts.append("\n![payload](https://evil.invalid/pixel.png) ![](//evil.invalid/a.svg) [ok](https://example.org/)\n")
    return "".join(parts)
