# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# One ctest entry for each suite of a GoogleTest program, `unit.SUITE`: starting the program takes
# longer than most tests do, and a process for all of them would be one where nothing runs beside
# anything else. Parameters that are instantiated as Whole are for `make test-all` only. A suite with
# a skipped test is shown as skipped, see tests/main.cc.
#
#   gordian_add_suites(<target>)
#
# After each build the program is asked for its suites; this file, run as a script, does that.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(GORDIAN_SUITES_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
  function(gordian_add_suites target)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    add_custom_command(
      TARGET ${target} POST_BUILD BYPRODUCTS ${list}
      COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DLIST=${list} -DWHERE=${CMAKE_BINARY_DIR}
              -P ${GORDIAN_SUITES_SCRIPT}
      VERBATIM)
    if(NOT EXISTS ${list})
      file(WRITE ${list} "add_test(unit.NOT_BUILT ${target}_is_not_built)\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list})
  endfunction()
  return()
endif()

execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE lines RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests ended with ${code}")
endif()
# Comments of parameters and types are text of any kind: brackets and semicolons make lists.
string(REGEX REPLACE "#[^\n]*" "" lines "${lines}")
string(REGEX MATCHALL "(^|\n)[^ \n]+\\. *" suites "\n${lines}")
set(text "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n ]|\\. *$" "" suite "${suite}")
  # Where compilers run: names of sources may be relative to it (ccache makes them so).
  set(properties "WORKING_DIRECTORY \"${WHERE}\" SKIP_RETURN_CODE 77 ENVIRONMENT GORDIAN_TELL_SKIPPED=1")
  if(suite MATCHES "^Whole/")
    string(APPEND properties " TIMEOUT 3600 LABELS \"unit;long\"")
  else()
    string(APPEND properties " TIMEOUT 300 LABELS unit")
  endif()
  string(APPEND text "add_test([==[unit.${suite}]==] \"${PROGRAM}\" [==[--gtest_filter=${suite}.*]==])\n"
                     "set_tests_properties([==[unit.${suite}]==] PROPERTIES ${properties})\n")
endforeach()
if(text STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} has no suites")
endif()
file(WRITE ${LIST} "${text}")
