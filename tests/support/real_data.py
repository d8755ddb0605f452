"""Real data, as support/real_data.hpp has them: a folder that is at hand, or None."""
import os
import pathlib


def real_data(name):
    """"examples" is the folder of ASSAY_EXAMPLES, any other one below ASSAY_DATA."""
    if name == "examples":
        folder = os.environ.get("ASSAY_EXAMPLES")
    else:
        root = os.environ.get("ASSAY_DATA")
        folder = root and os.path.join(root, name)
    return pathlib.Path(folder) if folder and os.path.isdir(folder) else None


def data_file(name, below):
    """A file below it, or of the archive of small recordings (ASSAY_BUNDLED) where the folder is not at hand; or None."""
    folder = real_data(name) or pathlib.Path(os.environ.get("ASSAY_BUNDLED") or "/nonexistent") / name
    return folder / below if (folder / below).exists() else None
