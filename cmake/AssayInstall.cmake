# What `cmake --install` gives besides the SDK (sdk/CMakeLists.txt) and the plugins (plugins/CMakeLists.txt). The
# program finds every folder from its own place, so that the prefix may be moved.
install(TARGETS assay RUNTIME DESTINATION bin)
install(DIRECTORY configs DESTINATION share/assay)
install(DIRECTORY skills/assay/ DESTINATION share/assay/skill)
install(DIRECTORY skills DESTINATION share/doc/assay)
# The documents as they stand in the source tree, so that the links between them hold.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md action.yml server.json DESTINATION share/doc/assay)
install(FILES LICENSE DESTINATION share/doc/assay RENAME copyright)
install(DIRECTORY docs packaging DESTINATION share/doc/assay)
install(DIRECTORY examples/trtexec DESTINATION share/doc/assay/examples)
file(GLOB readmes RELATIVE ${PROJECT_SOURCE_DIR} bench/README.md configs/README.md examples/README.md plugins/*/*.md sdk/*.md tests/README.md tests/agents/README.md tests/plugins/nsys_stats/handmade/README.md)
foreach(readme IN LISTS readmes)
  get_filename_component(folder ${readme} DIRECTORY)
  install(FILES ${readme} DESTINATION share/doc/assay/${folder})
endforeach()
install(CODE [[
  set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/doc/assay/sdk)
  file(MAKE_DIRECTORY ${folder}/testing)
  file(CREATE_LINK ../../../../include ${folder}/include SYMBOLIC)
  file(CREATE_LINK ../../../../../include ${folder}/testing/include SYMBOLIC)
]])

# An installation holds what was built; it does not build all tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
