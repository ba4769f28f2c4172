"""Makes pages of files outside docs/, and has every link lead where it can on a site.

A link to another page leads to that page, and has its title where the text is its path. A link to any other file of the
repository leads to the repository if HOCKET_REPOSITORY is set; otherwise it becomes text, with the file's path as its title.
Javadoc is in the navigation if HOCKET_JAVADOC is set, and a page of all parts of experiment files if HOCKET_PARTS names the output
of `hocket list parts --json`.
"""

import html
import itertools
import json
import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

ROOT = Path(__file__).resolve().parents[2]

# The page of the site, and the file of the repository that it shows.
PAGES = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "benchmarks.md": "benchmarks/README.md",
    "results.md": "benchmarks/RESULTS.md",
}
SHOWN = {source: page for page, source in PAGES.items()}

FENCE = re.compile(r"^ *```.*?^ *```[^\n]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


def plain(text):
    """Returns a text of which Markdown and HTML mean nothing, for a cell or a paragraph."""
    return re.sub(r"([\\`*_{}\[\]|])", r"\\\1", html.escape(text, quote=False))


def parts_page(all_parts):
    """Returns the page of all parts: those of a kind under a heading, each with its settings and an example."""
    lines = [
        "# Parts of experiment files",
        "",
        "Each part that a file can name, with its settings. In a terminal, `hocket list parts` names them, `hocket list terms` says in a",
        "line what those of a kind do, and `hocket list r1` shows one. In an example, … stands for a setting that must be given.",
    ]
    for (kind, uses), of_kind in itertools.groupby(all_parts, lambda part: (part["kind"], part["uses"])):
        lines += ["", f"## {kind}", "", "For " + "; ".join(f"`{use['key']}` of {', '.join(use['owners'])}" for use in uses) + "."]
        for part in of_kind:
            lines += ["", f'<h3 id="{kind}-{part["name"]}">{part["name"]}</h3>', ""]
            lines += [plain(part["summary"]) + f" `{part['type']}`"]
            lines += ["", "```yaml", part["example"], "```"]
            if part["settings"]:
                lines += ["", "| setting | meaning | values | default |", "|---|---|---|---|"]
            for setting in part["settings"]:
                usually = setting["usually"]
                default = "must be given" if usually is None else f"`{usually}`" if usually else "none"
                lines.append(f"| `{setting['key']}` | {plain(setting['help'])} | {plain(setting['values'])} | {default} |")
    return "\n".join(lines) + "\n"


def on_config(config):
    if os.environ.get("HOCKET_PARTS"):
        reference = next(item["Reference"] for item in config.nav if "Reference" in item)
        reference.insert(0, {"Parts of experiment files": "parts.md"})
    return config


def on_files(files, config):
    if os.environ.get("HOCKET_PARTS"):
        all_parts = json.loads((ROOT / os.environ["HOCKET_PARTS"]).read_text(encoding="utf-8"))
        files.append(File.generated(config, "parts.md", content=parts_page(all_parts)))
    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    source = PAGES.get(page.file.src_uri, "docs/" + page.file.src_uri)
    if source == "CHANGELOG.md":
        page.meta["search"] = {"boost": 0.1}  # it names everything: whoever searches wants the page on it first

    def adapted(link):
        image, text, address = link.groups()
        if re.match(r"[a-z]+:|#", address):
            return link.group()
        path, hash_sign, anchor = address.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (ROOT / target).exists():
            raise ValueError(f"{source}: the link to {address} leads to no file")
        if target in SHOWN or target.startswith("docs/"):
            found = SHOWN.get(target, target.removeprefix("docs/"))
            if text.strip("`") in (path, target) and found.endswith(".md"):
                text = files.get_file_from_path(found).page.title
            return f"{image}[{text}]({found}{hash_sign}{anchor})"
        if config.extra["repository"]:
            return f"[{text}]({config.extra['repository'].rstrip('/')}/blob/main/{target}{hash_sign}{anchor})"
        plain = text.replace("`", "")
        shown, element = (target, "code") if target.endswith(plain) else (plain, "code" if "`" in text else "span")
        return f'<{element} title="{html.escape(target)}">{html.escape(shown)}</{element}>'

    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(adapted, markdown[end : fence.start()]), fence.group()]
        end = fence.end()
    return "".join(parts) + LINK.sub(adapted, markdown[end:])


def on_page_content(content, page, config, files):
    # The Markdown of GitHub has \| for a bar in code in a table; Python-Markdown keeps the backslash.
    return re.sub(r"<td.*?</td>", lambda cell: cell.group().replace("\\|", "|"), content, flags=re.DOTALL)


def on_nav(nav, config, files):
    if os.environ.get("HOCKET_JAVADOC"):
        reference = next(item for item in nav.items if item.title == "Reference")
        reference.children.insert(0, Link("Javadoc", "javadoc/index.html"))
    return nav
