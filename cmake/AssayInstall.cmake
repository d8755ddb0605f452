# What `cmake --install` and CPack give besides the SDK (sdk/CMakeLists.txt) and the plugins (plugins/CMakeLists.txt). The
# program finds every folder from its own place, so that the prefix may be moved.
install(TARGETS assay RUNTIME DESTINATION bin)
install(DIRECTORY configs DESTINATION share/assay)
install(FILES README.md DESTINATION share/doc/assay)
install(FILES sdk/README.md DESTINATION share/doc/assay RENAME sdk.md)
install(DIRECTORY docs/ DESTINATION share/doc/assay)
install(FILES LICENSE DESTINATION share/doc/assay RENAME copyright)

# Packages hold what was built; they do not build all tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME ${PROJECT_NAME})
set(CPACK_PACKAGE_VENDOR ${PROJECT_NAME})
set(CPACK_PACKAGE_CONTACT "The authors of assay <assay@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "answers research questions from folders of GPU profiles")
set(CPACK_PACKAGE_DESCRIPTION
  "A small host loads analyzer plugins, measures every report of a folder once,\n and says what the data tell about a question. The SDK for analyzers is included.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake, libgtest-dev, libgmock-dev")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
