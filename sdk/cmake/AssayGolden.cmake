# assay_add_golden_test(NAME folder): a test NAME.golden that runs the host with the plugin NAME on folder/reports by
# folder/config.toml, and holds what it wrote against every file below folder/expected: each expected line must stand in the
# written file, in this order; the written file may have others between them, but for lines of facts.csv with a metric of
# the plugin, all of which are to be expected. With ASSAY_ACCEPT=1 in the environment the files
# below folder/expected that no longer fit become what was written.
set(ASSAY_GOLDEN_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/golden_test.cmake)

function(assay_add_golden_test name folder)
  get_filename_component(folder ${folder} ABSOLUTE)
  if(NOT EXISTS ${folder}/config.toml)
    message(FATAL_ERROR "assay_add_golden_test(${name}): there is no ${folder}/config.toml")
  endif()
  add_test(NAME ${name}.golden COMMAND ${CMAKE_COMMAND} -D ASSAY=${ASSAY_HOST} -D PLUGINS=$<TARGET_FILE_DIR:${name}>
    -D CASE=${folder} -D OUT=${CMAKE_CURRENT_BINARY_DIR}/${name}.golden -P ${ASSAY_GOLDEN_SCRIPT})
endfunction()
