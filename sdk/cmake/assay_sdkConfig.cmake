# find_package(assay_sdk): the targets assay::sdk (headers for analyzers) and assay::testing (reports, studies and sinks for
# their tests), the functions assay_add_plugin() and assay_add_golden_test(), and ASSAY_HOST, the program beside this package.
# The same file serves an installation and the build tree: both have bin/ three folders above it.
include(${CMAKE_CURRENT_LIST_DIR}/assay_sdkTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/AssayPlugin.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/AssayGolden.cmake)
get_filename_component(ASSAY_HOST ${CMAKE_CURRENT_LIST_DIR}/../../../bin/assay ABSOLUTE)
