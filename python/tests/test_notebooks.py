"""The notebooks run from the first cell to the last."""

import os
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
LONG = {"learner"}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    if notebook.stem in LONG and not os.environ.get("LINSTOCK_LONG"):
        pytest.skip("runs in `make lab`")
    book = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(book, timeout=900, resources={"metadata": {"path": str(tmp_path)}}).execute()
