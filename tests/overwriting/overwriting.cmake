# The suite of e2e.overwriting, and the agent of e2e.played_agent.
add_executable(overwriting ${CMAKE_CURRENT_LIST_DIR}/overwriting.cc)
set_target_properties(overwriting PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/overwriting)
target_link_libraries(overwriting PRIVATE gordian_zoo_flags GTest::gtest_main)
target_include_directories(overwriting PRIVATE ${PROJECT_SOURCE_DIR}/src)

add_library(played-agent MODULE ${CMAKE_CURRENT_LIST_DIR}/played_agent.cc)
set_target_properties(played-agent PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/overwriting)
target_include_directories(played-agent PRIVATE ${PROJECT_SOURCE_DIR}/src)
