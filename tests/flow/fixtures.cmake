# A suite whose files, directories and peers the tests of the recorder watch, with a shared and,
# where the system has one, a static C library.
include(${PROJECT_SOURCE_DIR}/cmake/GordianAdapter.cmake)
function(gordian_external_fixtures test_target)
  set(names external_suite)
  if(GORDIAN_CAN_LINK_STATICALLY)
    list(APPEND names external_suite_static)
  endif()
  foreach(name IN LISTS names)
    add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/flow/fixtures/external_suite.cc)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
    set_target_properties(${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/external_fixtures)
    add_dependencies(${test_target} ${name})
  endforeach()
  if(GORDIAN_CAN_LINK_STATICALLY)
    target_link_options(external_suite_static PRIVATE -static)
    gordian_link_adapter(external_suite_static)
  endif()
  target_compile_definitions(${test_target} PRIVATE
    GORDIAN_EXTERNAL_FIXTURES="${CMAKE_CURRENT_BINARY_DIR}/external_fixtures")
endfunction()
