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
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${ASSAY_PLUGIN_VERSION_SCRIPT})
endfunction()
