"""Studies from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._linstock import Study


def _text(settings: dict[str, Any]) -> str:
    """Settings as TOML: strings, numbers, truths, lists and tables."""

    def written(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return repr(value)
        if isinstance(value, str):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            return f'"{escaped}"'
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(written(entry) for entry in value) + "]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{written(str(key))} = {written(entry)}" for key, entry in value.items()) + "}"
        raise TypeError(f"{value!r} cannot be part of a study")

    return "\n".join(f"{written(key)} = {written(value)}" for key, value in settings.items())


def opened(source: str | Path | dict[str, Any], out: str | Path) -> Study:
    """A study from a file or from settings, and the folder it works in."""
    if isinstance(source, dict):
        return Study(_text(source), str(out))
    path = Path(source)
    return Study(path.read_text(encoding="utf-8"), str(out), beside=str(path.parent))


def study(source: str | Path | dict[str, Any], out: str | Path, *, csv: bool = False) -> dict[str, Any]:
    """Plays a study on all cores, writes its tables and report into ``out``, and gives the summary.

    ``source`` is a study file, or its settings as a dict: ``{"scenarios": [...], "games": 1000}``.
    """
    work = opened(source, out)
    work.run()
    return work.finish(csv=csv)
