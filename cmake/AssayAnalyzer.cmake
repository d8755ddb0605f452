# assay_analyzer(NAME source...): an analyzer of this tree. Its sources are compiled once, as objects: for the plugin, and for the
# tests and fuzz targets that link NAME_objects to call its parts, or the exported descriptor, without loading a library.
function(assay_analyzer name)
  assay_plugin_objects(${name} ${ARGN})
  set_target_properties(${name}_objects PROPERTIES UNITY_BUILD ${ASSAY_UNITY})
  target_link_libraries(${name}_objects PUBLIC assay_algo PRIVATE assay_flags)
  # What concludes runs once a question, on facts; the algorithms that take long are in the SDK's archive. Only these pass every row.
  if(NOT name MATCHES "^(run_summary|nsys_stats|step_breakdown|step_difference|step_items|idle_causes|ranges|ranks)$")
    target_compile_options(${name}_objects PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT name MATCHES "^(run_summary|nsys_stats|step_breakdown|step_difference|step_items|idle_causes|ranges)$")
    assay_unoptimised(${name}_objects)
  endif()
  assay_precompile(${name}_objects analyzer LIBS assay::sdk assay_flags HEADERS <assay/sdk.hpp>)
  assay_add_plugin(${name} $<TARGET_OBJECTS:${name}_objects>)
  target_link_libraries(${name} PRIVATE assay_algo)
endfunction()
