"""Turns what the engine tells into Python's own types."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def _chance(likelihood: dict[str, Any]) -> Fraction | float:
    """Exact chances as fractions; a sample's as a number."""
    return Fraction(likelihood["exact"]) if likelihood["exact"] else likelihood["p"]


def _replaced(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() >= {"p", "exact", "within"}:
            return _chance(value)
        return {key: _replaced(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner) for inner in value]
    return value


def odds(report: dict[str, Any]) -> dict[str, Any]:
    """A report of odds with every chance as a ``Fraction``; ``lead`` sums up what the score may gain."""
    plain = _replaced(report)
    plain["exact"] = report["sampled"] is None
    plain["lead"] = {entry["lead"]: entry["share"] for entry in plain["score"]}
    return plain
