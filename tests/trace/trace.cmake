# What e2e/trace runs on the binaries that it builds.
add_executable(gordian_show_flow trace/show_flow.cc)
target_link_libraries(gordian_show_flow PRIVATE gordian_core)
add_dependencies(gordian_show_flow gordian-agent gordian_trace)
