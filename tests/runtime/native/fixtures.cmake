# A program whose memory the tests of the tracer watch, not optimised and optimised.
function(gordian_traced_fixtures test_target)
  find_package(Threads REQUIRED)
  foreach(level O0 O2)
    add_executable(traced_${level} ${CMAKE_CURRENT_LIST_DIR}/runtime/native/fixtures/traced.cc)
    target_compile_options(traced_${level} PRIVATE -g -${level})
    target_link_libraries(traced_${level} PRIVATE Threads::Threads)
    set_target_properties(traced_${level} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/traced_fixtures)
    add_dependencies(${test_target} traced_${level})
  endforeach()
  target_compile_definitions(${test_target} PRIVATE
    GORDIAN_TRACED_FIXTURES="${CMAKE_CURRENT_BINARY_DIR}/traced_fixtures"
    GORDIAN_TRACED_SOURCE="${CMAKE_CURRENT_LIST_DIR}/runtime/native/fixtures/traced.cc")
endfunction()
