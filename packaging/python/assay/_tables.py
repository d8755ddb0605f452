"""Rows as what the user works with."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

Rows = List[Dict[str, Any]]
Table = Any  #: a DataFrame of pandas or polars, or Rows: what there is when the program runs


def table(rows: Rows, kind: Optional[str] = None, columns: Optional[List[str]] = None) -> Table:
    """`rows`, a list of dicts, as a frame of pandas or polars, or as it is."""
    if kind not in (None, "pandas", "polars", "lists"):
        raise ValueError("assay.frames is %r; expected 'pandas', 'polars', 'lists' or None" % (kind,))
    if kind in (None, "pandas"):
        try:
            import pandas
        except ImportError:
            if kind is not None:
                raise
        else:
            return pandas.DataFrame(rows, columns=columns)
    if kind in (None, "polars"):
        try:
            import polars
        except ImportError:
            if kind is not None:
                raise
        else:
            return polars.DataFrame(rows, schema=columns if not rows else None, infer_schema_length=None)
    return rows
