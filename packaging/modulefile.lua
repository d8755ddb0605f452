-- A module for clusters (Lmod): put it as assay/VERSION.lua below MODULEPATH, with the version in the tarball's name, and the unpacked
-- tarball below `place`.
help("assay: answers research questions from folders of GPU profiles")
whatis("Name: assay")
local place = "/opt"
local root = pathJoin(place, "assay-" .. myModuleVersion() .. "-linux-x86_64")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("CMAKE_PREFIX_PATH", root)
