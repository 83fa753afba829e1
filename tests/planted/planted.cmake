# The interpreter of planted suites: one binary for all of them, see planted.cc.
find_package(GTest REQUIRED)
add_executable(planted ${CMAKE_CURRENT_LIST_DIR}/planted.cc)
set_target_properties(planted PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/planted)
target_link_libraries(planted PRIVATE gordian_zoo_flags GTest::gtest)
