# Programs that the tests of symbols/ read: one source each, built in the ways that users build.
# gordian_symbol_fixtures(<test target>) builds them and tells the tests where they are.

set(GORDIAN_FIXTURE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/fixtures)

function(gordian_symbol_fixture name source)
  add_executable(${name} ${GORDIAN_FIXTURE_SOURCES}/${source})
  target_compile_options(${name} PRIVATE -g -O1)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/symbol_fixtures
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/symbol_fixtures)
  set_property(GLOBAL APPEND PROPERTY GORDIAN_SYMBOL_FIXTURES ${name})
endfunction()

# The program to read stacks of, compiled by a relative path as many projects do.
function(gordian_relative_stacks folder)
  foreach(compiler g++ clang++)
    string(REPLACE "++" "" word ${compiler})
    find_program(GORDIAN_FIXTURE_${word} ${compiler})
    if(NOT GORDIAN_FIXTURE_${word})
      continue()
    endif()
    foreach(version 4 5)
      set(program ${folder}/stacks_${word}${version})
      add_custom_command(
        OUTPUT ${program}
        COMMAND ${GORDIAN_FIXTURE_${word}} -std=c++20 -gdwarf-${version} -O1 fixtures/stacks.cc
                -o ${program} -L${folder} -lgordian-agent-fixture "-Wl,-rpath,$ORIGIN"
        WORKING_DIRECTORY ${GORDIAN_FIXTURE_SOURCES}/..
        DEPENDS ${GORDIAN_FIXTURE_SOURCES}/stacks.cc fixture_agent
        VERBATIM)
      list(APPEND programs ${program})
      set_property(GLOBAL APPEND PROPERTY GORDIAN_RELATIVE_STACKS stacks_${word}${version})
    endforeach()
  endforeach()
  add_custom_target(relative_stacks DEPENDS ${programs})
  set_property(GLOBAL APPEND PROPERTY GORDIAN_SYMBOL_FIXTURES relative_stacks)
endfunction()

function(gordian_symbol_fixtures test_target)
  find_package(GTest REQUIRED)
  set(fixtures ${CMAKE_CURRENT_BINARY_DIR}/symbol_fixtures)

  foreach(variant plain stripped nopie static)
    gordian_symbol_fixture(gtest_${variant} one_test.cc)
    target_link_libraries(gtest_${variant} PRIVATE GTest::gtest_main)
  endforeach()
  target_link_options(gtest_stripped PRIVATE -s)
  target_compile_options(gtest_nopie PRIVATE -fno-pie)
  target_link_options(gtest_nopie PRIVATE -no-pie)
  target_link_options(gtest_static PRIVATE -static)

  # GoogleTest in a shared library two steps away: program -> helper -> GoogleTest.
  add_library(fixture_framework SHARED ${GORDIAN_FIXTURE_SOURCES}/empty.cc)
  target_link_libraries(fixture_framework PRIVATE
    -Wl,--whole-archive $<TARGET_FILE:GTest::gtest> -Wl,--no-whole-archive)
  target_link_options(fixture_framework PRIVATE -Wl,-Bsymbolic)
  add_library(fixture_helper SHARED ${GORDIAN_FIXTURE_SOURCES}/run_tests.cc)
  target_link_libraries(fixture_helper PRIVATE fixture_framework)
  gordian_symbol_fixture(gtest_shared calls_helper.cc)
  target_link_libraries(gtest_shared PRIVATE fixture_helper)
  target_link_options(gtest_shared PRIVATE -Wl,--as-needed)
  set_target_properties(fixture_framework fixture_helper gtest_shared PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN" LIBRARY_OUTPUT_DIRECTORY ${fixtures})

  gordian_symbol_fixture(no_framework program.cc)
  gordian_symbol_fixture(with_adapter adapter.cc)
  gordian_symbol_fixture(looks_like_catch looks_like_catch.cc)
  foreach(sanitizer address thread undefined)
    gordian_symbol_fixture(sanitize_${sanitizer} program.cc)
    target_compile_options(sanitize_${sanitizer} PRIVATE -fsanitize=${sanitizer})
    target_link_options(sanitize_${sanitizer} PRIVATE -fsanitize=${sanitizer})
  endforeach()
  foreach(variant plain stripped)
    gordian_symbol_fixture(gcov_${variant} program.cc)
    target_compile_options(gcov_${variant} PRIVATE --coverage)
    target_link_options(gcov_${variant} PRIVATE --coverage)
  endforeach()
  target_link_options(gcov_stripped PRIVATE -s)

  # One program, built with one change each; optimised or not.
  foreach(change same unrelated changed_body changed_helper changed_literal changed_table
          changed_virtual changed_lambda changed_setup changed_suite_setup changed_param_body
          changed_typed_body)
    string(TOUPPER ${change} macro)
    foreach(level O0 O2)
      gordian_symbol_fixture(code_${change}_${level} changing_tests.cc)
      target_compile_options(code_${change}_${level} PRIVATE -${level} -g0)
      target_compile_definitions(code_${change}_${level} PRIVATE ${macro})
      target_link_libraries(code_${change}_${level} PRIVATE GTest::gtest_main)
    endforeach()
  endforeach()
  foreach(change same unrelated changed_body)
    string(TOUPPER ${change} macro)
    gordian_symbol_fixture(code_${change}_nopie changing_tests.cc)
    target_compile_options(code_${change}_nopie PRIVATE -O1 -fno-pie)
    target_link_options(code_${change}_nopie PRIVATE -no-pie)
    target_compile_definitions(code_${change}_nopie PRIVATE ${macro})
    target_link_libraries(code_${change}_nopie PRIVATE GTest::gtest_main)
  endforeach()

  # A program to read stacks of, with a signal handler in a library named like our agent.
  add_library(fixture_agent SHARED ${GORDIAN_FIXTURE_SOURCES}/agent_handler.cc)
  # Without debug information: only then is it looked for elsewhere.
  target_compile_options(fixture_agent PRIVATE -g0)
  target_link_options(fixture_agent PRIVATE -Wl,--build-id)
  set_target_properties(fixture_agent PROPERTIES
    OUTPUT_NAME gordian-agent-fixture LIBRARY_OUTPUT_DIRECTORY ${fixtures})
  gordian_symbol_fixture(stacks stacks.cc)
  target_link_libraries(stacks PRIVATE fixture_agent)
  set_target_properties(stacks PROPERTIES BUILD_RPATH "\$ORIGIN")

  gordian_relative_stacks(${fixtures})
  get_property(relative GLOBAL PROPERTY GORDIAN_RELATIVE_STACKS)
  list(JOIN relative " " relative)

  get_property(all GLOBAL PROPERTY GORDIAN_SYMBOL_FIXTURES)
  add_dependencies(${test_target} ${all})
  target_compile_definitions(${test_target} PRIVATE
    GORDIAN_SYMBOL_FIXTURES="${fixtures}"
    GORDIAN_RELATIVE_STACKS="${relative}"
    GORDIAN_STACKS_SOURCE="${GORDIAN_FIXTURE_SOURCES}/stacks.cc")
endfunction()
