"""Generated exports, kept between runs and made anew when their generator changes."""

import hashlib
import os
import shutil
import subprocess

BYTES_A_KERNEL = 230  # of an export of make_report, a little more than measured
SPARE = 1 << 30  # that stays free


class NoRoom(Exception):
    pass


class Exports:
    def __init__(self, build, source, folder):
        self.generator = build / "bin" / "make_report"
        parts = [source / "bench" / name for name in ("make_report.cpp", "export_file.hpp")]
        digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
        self.folder = folder / digest[:12]
        if folder.is_dir():
            for old in folder.iterdir():
                if old != self.folder:
                    shutil.rmtree(old)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, kernels, ranges, shape):
        return self.folder / f"{shape}_{kernels}_{ranges}.sqlite"

    def check_room(self, wanted):
        """Raises NoRoom when the (kernels, ranges, shape) that are missing do not fit."""
        missing = sum(k * BYTES_A_KERNEL + r * 40 for k, r, shape in wanted if not self.path(k, r, shape).exists())
        free = shutil.disk_usage(self.folder).free
        if missing + SPARE > free:
            raise NoRoom(f"'{self.folder}' has {free / 1e9:.1f} GB free, and the exports to measure need "
                         f"{(missing + SPARE) / 1e9:.1f} GB; make room, or measure smaller ones with --quick")

    def get(self, kernels, ranges=31_000, shape="inference"):
        file = self.path(kernels, ranges, shape)
        if not file.exists():
            unfinished = file.with_suffix(".unfinished")
            subprocess.run([self.generator, "--kernels", str(kernels), "--ranges", str(ranges), "--shape", shape,
                            "--output", unfinished], check=True)
            os.replace(unfinished, file)
        return file
