# What the end-to-end tests of collection ask: a program that tells what is collected as JSON.
add_executable(gordian_watch_suite ${CMAKE_CURRENT_LIST_DIR}/watch_suite.cc)
target_link_libraries(gordian_watch_suite PRIVATE gordian_core)
set_target_properties(gordian_watch_suite PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/trace)
# What e2e/trace runs on the binaries that it builds.
add_executable(gordian_show_flow flow/show_flow.cc)
target_link_libraries(gordian_show_flow PRIVATE gordian_core)
add_dependencies(gordian_show_flow gordian-agent gordian_trace)
