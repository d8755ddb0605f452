# assay_plugin_objects(NAME source...): compiles the sources of a plugin once, as NAME_objects, for
# assay_add_plugin(NAME $<TARGET_OBJECTS:NAME_objects>) and for tests that link NAME_objects.
function(assay_plugin_objects name)
  assay_plugin_build_type(${name})
  add_library(${name}_objects OBJECT ${ARGN})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}_objects PUBLIC assay::sdk)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name}_objects PRIVATE -fno-gnu-unique)
  endif()
endfunction()

# Without a build type CMake optimises nothing, and an analyzer passes every row of a report.
function(assay_plugin_build_type name)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT several)
    message(STATUS "No CMAKE_BUILD_TYPE was given: ${name} is built as Release")
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
endfunction()

# assay_add_plugin(NAME source...): builds the analyzer plugin NAME as NAME.so.
#
# MODULE with hidden visibility and a version script, so that exactly one symbol, assay_plugin, is exported; -z defs, so that
# a missing symbol fails here and not when a user loads it; -fno-gnu-unique, because a unique symbol makes dlclose keep the
# library mapped for ever.
set(ASSAY_PLUGIN_VERSION_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/assay_plugin.map)

function(assay_add_plugin name)
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "assay_add_plugin: '${name}' is no name of an analyzer; expected small letters, digits and '_', "
      "a letter first, as in the TOML")
  endif()
  if(NOT ARGN)
    message(FATAL_ERROR "assay_add_plugin(${name}): no source is given; name plugin.cpp and the other sources after ${name}")
  endif()
  assay_add_library(${name} ${ARGN})
endfunction()

# assay_add_format(NAME source...): the same for a format, which exports assay_format.
function(assay_add_format name)
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "assay_add_format: '${name}' is no name of a format; expected small letters, digits and '_', a letter first")
  endif()
  if(NOT ARGN)
    message(FATAL_ERROR "assay_add_format(${name}): no source is given; name format.cpp and the other sources after ${name}")
  endif()
  assay_add_library(${name} ${ARGN})
endfunction()

function(assay_add_library name)
  assay_plugin_build_type(${name})
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(DEFINED ASSAY_PLUGIN_DIRECTORY)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${ASSAY_PLUGIN_DIRECTORY})
  endif()
  target_link_libraries(${name} PRIVATE assay::sdk)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fno-gnu-unique)
  endif()
  target_link_options(${name} PRIVATE -Wl,--version-script=${ASSAY_PLUGIN_VERSION_SCRIPT})
  if(NOT ASSAY_SANITIZE)  # the sanitizers' runtime is in the program, not in the plugin
    target_link_options(${name} PRIVATE -Wl,-z,defs -Wl,--gc-sections)
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${ASSAY_PLUGIN_VERSION_SCRIPT})
endfunction()
