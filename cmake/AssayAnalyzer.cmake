# assay_analyzer(NAME source...): an analyzer of this tree. Its sources are compiled once, as objects: for the plugin, and for the
# tests and fuzz targets that link NAME_objects to call its parts, or the exported descriptor, without loading a library.
function(assay_analyzer name)
  add_library(${name}_objects OBJECT ${ARGN})
  set_target_properties(${name}_objects PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    UNITY_BUILD ${ASSAY_UNITY})
  target_include_directories(${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}_objects PUBLIC assay::sdk PRIVATE assay_flags)
  if(NOT name MATCHES "^(run_summary|nsys_stats|step_breakdown|idle_causes)$")
    assay_unoptimised(${name}_objects)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name}_objects PRIVATE -fno-gnu-unique)  # as assay_add_plugin() says
  endif()
  assay_add_plugin(${name} $<TARGET_OBJECTS:${name}_objects>)
endfunction()
