# cmake -D SOURCE=... -D TO=... -P write_commit.cmake: a header with the commit of the sources, rewritten only when it is another.
# "-dirty" when files that are kept differ from it; empty where SOURCE is not the top of a repository.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(ASSAY_COMMIT "")
if("${top}" STREQUAL "${SOURCE}")
  execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
    OUTPUT_VARIABLE ASSAY_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${TO} CONTENT "#define ASSAY_COMMIT \"@ASSAY_COMMIT@\"\n" @ONLY)
