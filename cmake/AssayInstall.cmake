# What `cmake --install` gives besides the SDK (sdk/CMakeLists.txt) and the plugins (plugins/CMakeLists.txt). The
# program finds every folder from its own place, so that the prefix may be moved.
install(TARGETS assay RUNTIME_DEPENDENCY_SET assay_libraries RUNTIME DESTINATION bin)
# The tarball of `./dev dist` has the libraries of others beside it, found from the program's own place: an RPATH and no RUNPATH,
# which would not hold for what those libraries need in turn. Of the system it takes the C library and the two of the compiler.
set_target_properties(assay PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib/assay/libraries" BUILD_WITH_INSTALL_RPATH ON)
target_link_options(assay PRIVATE LINKER:--disable-new-dtags)
install(RUNTIME_DEPENDENCY_SET assay_libraries COMPONENT libraries EXCLUDE_FROM_ALL DESTINATION lib/assay/libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|gcc_s|stdc\\+\\+|dl|rt|pthread)\\.so")
install(DIRECTORY configs DESTINATION share/assay)
install(DIRECTORY packaging/skill DESTINATION share/assay)
# The documents as they stand in the source tree, so that the links between them hold.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md DESTINATION share/doc/assay)
install(FILES LICENSE DESTINATION share/doc/assay RENAME copyright)
install(DIRECTORY docs packaging DESTINATION share/doc/assay)
file(GLOB readmes RELATIVE ${PROJECT_SOURCE_DIR} bench/README.md configs/README.md examples/README.md plugins/*/*.md sdk/README.md tests/README.md tests/plugins/nsys_stats/handmade/README.md)
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
