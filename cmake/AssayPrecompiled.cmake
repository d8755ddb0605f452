# Parsing headers takes 15 to 25 % of the time of a unit: those that nearly every source of a kind includes are parsed once for each
# set of flags. Sources still include what they use: `./dev lint` and the preset "dev" build without this.

# Without these ccache takes no file that uses precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ASSAY_PRECOMPILED_FOR_CCACHE -fpch-preprocess)
else()
  set(ASSAY_PRECOMPILED_FOR_CCACHE "SHELL:-Xclang -fno-pch-timestamp")
endif()

# For targets that precompile headers: always from the headers.
function(assay_precompile_anew target)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/precompile_anew.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
endfunction()

set(ASSAY_STANDARD_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <filesystem> <fstream> <functional> <iomanip> <map> <memory>
  <optional> <set> <sstream> <string> <string_view> <unordered_map> <variant> <vector>)

# assay_precompile(TARGET KIND LIBS library... HEADERS header...): TARGET uses the HEADERS, precompiled once for all targets of this
# KIND that have the same options. Called after the options of TARGET are set.
function(assay_precompile target kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBS;HEADERS")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What g++ inlines from a precompiled header it takes for our own code, with the false alarms that it spares system headers.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  target_compile_options(${target} PRIVATE ${ASSAY_PRECOMPILED_FOR_CCACHE})
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(visibility ${target} CXX_VISIBILITY_PRESET)
  string(MD5 flags "${options};${visibility}")
  string(SUBSTRING ${flags} 0 6 flags)
  set(headers assay_${kind}_headers_${flags})
  if(NOT TARGET ${headers})
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${headers}.cpp CONTENT "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/${headers}.cpp)
    target_include_directories(${headers} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_link_libraries(${headers} PRIVATE ${arg_LIBS})
    target_compile_options(${headers} PRIVATE ${options})
    target_precompile_headers(${headers} PRIVATE ${arg_HEADERS})
    assay_precompile_anew(${headers})
    if(visibility)
      set_target_properties(${headers} PROPERTIES CXX_VISIBILITY_PRESET ${visibility} VISIBILITY_INLINES_HIDDEN ON)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
