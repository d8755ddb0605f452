# The libraries of others. All are looked for before the first that is missing is said, so that one message names everything to be
# installed: what it is to CMake or pkg-config, and the package of Debian and Ubuntu that has it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "assay needs g++ 12 or newer, and ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_VERSION}: install one (Ubuntu "
    "22.04: package g++-12) and configure with -DCMAKE_CXX_COMPILER=g++-12")
endif()

set(ASSAY_MISSING "")

# assay_needs(FOUND what package): notes what is missing where the variable FOUND is false.
function(assay_needs found what package)
  if(NOT ${found})
    set(ASSAY_MISSING "${ASSAY_MISSING}\n  ${what}: ${package}" PARENT_SCOPE)
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(SQLite3 QUIET)
assay_needs(SQLite3_FOUND "SQLite 3 (sqlite3.h)" libsqlite3-dev)
find_package(spdlog QUIET)
assay_needs(spdlog_FOUND "spdlog (CMake package spdlog)" libspdlog-dev)
find_package(fmt QUIET)  # the one that spdlog is built with
assay_needs(fmt_FOUND "fmt (CMake package fmt)" libfmt-dev)
find_package(CLI11 QUIET)
assay_needs(CLI11_FOUND "CLI11 (CMake package CLI11)" libcli11-dev)
find_package(nlohmann_json QUIET)
assay_needs(nlohmann_json_FOUND "JSON for Modern C++ (CMake package nlohmann_json)" nlohmann-json3-dev)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost's own CMake package
endif()
find_package(Boost 1.74 QUIET)
assay_needs(Boost_FOUND "Boost 1.74 or newer, headers only (CMake package Boost)" libboost-dev)
find_package(simdjson QUIET)
assay_needs(simdjson_FOUND "simdjson (CMake package simdjson)" libsimdjson-dev)
find_package(ZLIB QUIET)
assay_needs(ZLIB_FOUND "zlib (zlib.h)" zlib1g-dev)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
assay_needs(TOMLPLUSPLUS_INCLUDE_DIR "toml++ 3 (toml++/toml.h; -DTOMLPLUSPLUS_INCLUDE_DIR=folder)" libtomlplusplus-dev)
find_path(CSV_INCLUDE_DIR csv.h)
find_library(CSV_LIBRARY csv)
assay_needs(CSV_LIBRARY "libcsv (csv.h)" libcsv-dev)
# Not by pkg-config: Debian 13's description of it asks for minizip's, which its package does not bring.
find_path(XLSXWRITER_INCLUDE_DIR xlsxwriter.h)
find_library(XLSXWRITER_LIBRARY xlsxwriter)
assay_needs(XLSXWRITER_LIBRARY "libxlsxwriter (xlsxwriter.h)" libxlsxwriter-dev)
# Data and no code of the machine: from the system that builds, when it builds for another.
find_package(PkgConfig QUIET)
assay_needs(PkgConfig_FOUND pkg-config pkg-config)
if(PkgConfig_FOUND)
  pkg_check_modules(libdeflate QUIET IMPORTED_TARGET libdeflate)
  pkg_check_modules(xxhash QUIET IMPORTED_TARGET libxxhash)
  pkg_check_modules(LIBEDIT QUIET libedit)
  assay_needs(libdeflate_FOUND "libdeflate (pkg-config libdeflate)" libdeflate-dev)
  assay_needs(xxhash_FOUND "xxHash (pkg-config libxxhash)" libxxhash-dev)
endif()
if(ASSAY_BUILD_TESTS)
  find_package(GTest QUIET)
  assay_needs(GTest_FOUND "GoogleTest and GoogleMock (CMake package GTest; not with -DASSAY_BUILD_TESTS=OFF)" "libgtest-dev libgmock-dev")
endif()
if(ASSAY_BUILD_BENCH)
  find_package(benchmark QUIET)
  assay_needs(benchmark_FOUND "Google Benchmark (CMake package benchmark; not with -DASSAY_BUILD_BENCH=OFF)" libbenchmark-dev)
endif()

if(ASSAY_MISSING)
  message(FATAL_ERROR "These libraries are missing (what CMake looks for: the package of Debian and Ubuntu that has it); "
    "install them, or say by CMAKE_PREFIX_PATH and PKG_CONFIG_PATH where they are:${ASSAY_MISSING}")
endif()
