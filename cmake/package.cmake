# find_package(gordian), from the build directory and from an installation. The component "adapter"
# is all that a project needs to build; programs come with the rest.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gordian-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)

set(GORDIAN_PACKAGE_BIN ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(GORDIAN_PACKAGE_MODULES ${CMAKE_CURRENT_LIST_DIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/gordian-config.cmake.in
               ${CMAKE_BINARY_DIR}/gordian-config.cmake @ONLY)

set(GORDIAN_PACKAGE_BIN "\${CMAKE_CURRENT_LIST_DIR}/../../../bin")
set(GORDIAN_PACKAGE_MODULES "\${CMAKE_CURRENT_LIST_DIR}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/gordian-config.cmake.in
               ${CMAKE_BINARY_DIR}/installed/gordian-config.cmake @ONLY)

install(FILES ${CMAKE_CURRENT_LIST_DIR}/GordianAdapter.cmake
              ${CMAKE_CURRENT_LIST_DIR}/GordianDiscoverTests.cmake
              ${CMAKE_CURRENT_LIST_DIR}/GordianInstrument.cmake
              ${CMAKE_BINARY_DIR}/installed/gordian-config.cmake
              ${CMAKE_BINARY_DIR}/gordian-config-version.cmake
        DESTINATION lib/cmake/gordian COMPONENT adapter)
