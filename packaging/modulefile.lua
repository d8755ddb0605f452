-- A module for clusters (Lmod): put it as assay/0.1.0.lua below MODULEPATH and set `root` to where the tarball was unpacked.
help("assay: answers research questions from folders of GPU profiles")
whatis("Name: assay")
local root = "/opt/assay-0.1.0-linux-x86_64"
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("CMAKE_PREFIX_PATH", root)
