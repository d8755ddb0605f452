# Flags of our own code: warnings are errors, and sanitizers apply to everything that is built here.
add_library(assay_flags INTERFACE)
target_compile_options(assay_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Wformat=2 -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # When it optimises, g++ 12 reports a false overlap inside std::string's operator+ (its bug 105651) and false uninitialised
  # members of std::optional and std::filesystem::path (its bug 105593).
  target_compile_options(assay_flags INTERFACE -Wduplicated-cond -Wlogical-op -Wuseless-cast -Wno-restrict
    -Wno-maybe-uninitialized)
  # A unit of twelve sources makes 1 GB of garbage, which it would collect five times; it may hold 0.4 GB before the first time.
  target_compile_options(assay_flags INTERFACE --param=ggc-min-heapsize=400000)
  # For arm64 it takes an insertion into a std::vector for a write beyond its end.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    target_compile_options(assay_flags INTERFACE -Wno-stringop-overflow)
  endif()
  # g++ 13 and 14 take every reference that a function returns beside a temporary argument for one into it.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(assay_flags INTERFACE -Wno-dangling-reference)
  endif()
else()
  # libstdc++ 12's own std::stable_sort uses a function that it marks deprecated, and clang reports that at every use.
  target_compile_options(assay_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^13\\.")
  # Debian 13's g++ 13 has a libstdc++.so of its own, older than the system's, against which the system's libraries (spdlog, gtest)
  # were built and with which every program runs: what the former lacks is found in the latter.
  link_libraries(-l:libstdc++.so.6)
endif()
# About a hundred programs and libraries are linked: half the time where mold is installed. (g++ knows it from 12 on.)
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold -Wl,--undefined-version)  # a plugin exports one of the two symbols of its version script
endif()
if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()

# assay_unoptimised(TARGET): of the sanitizers' compile time the optimiser takes two thirds, which pays only where every row of a
# report passes: there -O1 stays. (A fuzzer wants speed everywhere.)
function(assay_unoptimised target)
  if(ASSAY_SANITIZE AND NOT ASSAY_BUILD_FUZZ)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

option(ASSAY_UNITY "Compile the sources of a library or plugin together: half the time for all, more for one change" OFF)
if(ASSAY_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What stands in the anonymous namespace of a source looks to g++ as if it stood in a header.
  target_compile_options(assay_flags INTERFACE -Wno-subobject-linkage)
endif()

# assay_alone(source...): sources of the calling folder that are never compiled together with others, because a name in their
# anonymous namespace means something else in a neighbour's.
function(assay_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
