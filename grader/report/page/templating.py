"""What pages of this house are made with: templates that escape whatever they are given, styles, and what may run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

_PACKAGE = "grader.report.page"


@cache
def page_environment(package: str) -> Environment:
    """The templates of a package, which may use those of reports.

    Whatever a model, a manifest or a person said is escaped: no template of this house marks a value as safe.
    """
    loader = ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, _PACKAGE))])
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def page_asset(name: str) -> str:
    """A style or script of reports."""
    return (resources.files(_PACKAGE) / "assets" / name).read_text(encoding="utf-8")


def page_policy(script: str = "") -> str:
    """Nothing runs but one script, where there is one, and the files that it loads; nothing comes from a network."""
    allowed = "'none'"
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
        allowed = f"'sha256-{digest}' 'strict-dynamic'"
    return (
        "default-src 'none'; img-src 'self' file: data:; media-src 'self' file: data:; style-src 'unsafe-inline'; "
        f"script-src {allowed}; base-uri 'none'; form-action 'none'"
    )
