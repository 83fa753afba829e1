# What the end-to-end test of snapshots runs: a suite that damages memory, and a program that takes
# system calls away.
add_executable(gordian_memory_suite ${CMAKE_CURRENT_LIST_DIR}/memory_suite.cc)
target_link_libraries(gordian_memory_suite PRIVATE gordian_zoo_flags GTest::gtest)
add_executable(gordian_confined ${CMAKE_CURRENT_LIST_DIR}/confined.cc)
target_link_libraries(gordian_confined PRIVATE gordian_tool_flags)
set_target_properties(gordian_memory_suite gordian_confined PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/snapshots)
