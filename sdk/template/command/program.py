#!/usr/bin/env python3
"""assay-@NAME@ PLACE... [--json]: the kernel with most time in each profile. `assay @NAME@` runs it where it stands in PATH or in
lib/assay/commands of the installation."""
import json
import os
import subprocess
import sys

SQL = "SELECT report, short_name AS kernel, sum(duration) AS ns, count(*) AS launches FROM kernels GROUP BY 1, 2 ORDER BY 1, 3 DESC"


def main():
    as_document = "--json" in sys.argv[1:]
    places = [word for word in sys.argv[1:] if word != "--json"]
    if not places or places[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if places else 2
    # Answers, exit codes and sentences are those of assay; standard error goes through.
    asked = subprocess.run([os.environ.get("ASSAY_PROGRAM", "assay"), "query", *places, SQL, "--json"], stdout=subprocess.PIPE, check=False)
    document = json.loads(asked.stdout)
    worst = {}
    for row in document["result"] or []:
        worst.setdefault(row["report"], row)
    if as_document:
        print(json.dumps({**document, "schema": "assay.@NAME@", "version": 1, "result": list(worst.values())}))
    else:
        for row in worst.values():
            print(f"{row['report']}: {row['kernel']}, {row['ns'] / 1e6:.3f} ms in {row['launches']} launches")
    return document["exit"]


sys.exit(main())
