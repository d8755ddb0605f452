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
