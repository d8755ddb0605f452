# Text files as constants of the program: assay_text_resource(TARGET NAME FILES file... [WITH_DIGEST]) generates a source that
# defines `const std::string_view assay::NAME`: the files, one after the other. With WITH_DIGEST also `NAMESha256`, in
# hexadecimal: what a content security policy names a script by.
set(ASSAY_RESOURCE_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/write_text_resource.cmake)

function(assay_text_resource target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "WITH_DIGEST" "" "FILES")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  list(JOIN arg_FILES "|" files)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -D OUT=${out} -D NAME=${name} -D "FILES=${files}"
      -D WITH_DIGEST=${arg_WITH_DIGEST} -P ${ASSAY_RESOURCE_SCRIPT}
    DEPENDS ${arg_FILES} ${ASSAY_RESOURCE_SCRIPT}
    VERBATIM)
  # A text needs no header: reading the precompiled ones takes all of its time.
  set_source_files_properties(${out} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${out})
endfunction()
