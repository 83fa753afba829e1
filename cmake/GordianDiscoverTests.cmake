# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# gordian_discover_tests(<target>
#   [EXTRA_ARGS <argument>...] [WORKING_DIRECTORY <directory>]
#   [TEST_PREFIX <prefix>] [TEST_SUFFIX <suffix>] [TEST_FILTER <filter>]
#   [NO_PRETTY_TYPES] [NO_PRETTY_VALUES] [PROPERTIES <name> <value>...] [TEST_LIST <variable>]
#   [DISCOVERY_TIMEOUT <seconds>] [DISCOVERY_EXTRA_ARGS <argument>...]
#   [DISCOVERY_MODE POST_BUILD|PRE_TEST] [XML_OUTPUT_DIR <directory>]
#   [ISOLATE <isolation>] [GORDIAN_ARGS <--option=value>...])
#
# As CMake's gtest_discover_tests(), and with its names; but ctest runs each test isolated through
# Gordian, and the tests of one ctest run share one start of the program. The last line is ours:
# options as for `gordian run`. docs/ctest.md tells the rest. Needs CMake 3.19.
include_guard(GLOBAL)

# Where the programs are: the package configuration says it, or the user, or PATH.
find_program(GORDIAN_EXECUTABLE gordian HINTS "${GORDIAN_BIN_DIR}"
             DOC "The program gordian; gordian-ctest must be beside it")
mark_as_advanced(GORDIAN_EXECUTABLE)

# [==[value]==] for each value, each after a space.
function(_gordian_quoted result)
  set(text "")
  foreach(index RANGE 1 ${ARGC})
    if(index LESS ARGC)
      string(APPEND text " [==[${ARGV${index}}]==]")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# gordian and gordian-ctest: of this very build, if Gordian is part of it.
function(_gordian_programs target)
  if(TARGET gordian-ctest AND TARGET gordian)
    add_dependencies(${target} gordian gordian-ctest)
    set(gordian "$<TARGET_FILE:gordian>" PARENT_SCOPE)
    set(client "$<TARGET_FILE:gordian-ctest>" PARENT_SCOPE)
    return()
  endif()
  get_filename_component(directory "${GORDIAN_EXECUTABLE}" DIRECTORY)
  if(NOT GORDIAN_EXECUTABLE OR NOT EXISTS "${directory}/gordian-ctest")
    message(FATAL_ERROR "gordian_discover_tests: gordian and gordian-ctest were not found; "
                        "set GORDIAN_EXECUTABLE to the path of gordian")
  endif()
  set(gordian "${GORDIAN_EXECUTABLE}" PARENT_SCOPE)
  set(client "${directory}/gordian-ctest" PARENT_SCOPE)
endfunction()

# A number for each call with this target.
function(_gordian_next_call target result)
  get_property(calls TARGET ${target} PROPERTY GORDIAN_DISCOVERIES)
  math(EXPR calls "0${calls} + 1")
  set_property(TARGET ${target} PROPERTY GORDIAN_DISCOVERIES ${calls})
  set(${result} ${calls} PARENT_SCOPE)
endfunction()

function(gordian_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PRETTY_TYPES;NO_PRETTY_VALUES"
    "TEST_PREFIX;TEST_SUFFIX;TEST_FILTER;WORKING_DIRECTORY;TEST_LIST;DISCOVERY_TIMEOUT;DISCOVERY_MODE;XML_OUTPUT_DIR;ISOLATE"
    "EXTRA_ARGS;DISCOVERY_EXTRA_ARGS;PROPERTIES;GORDIAN_ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gordian_discover_tests: unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(emulator ${target} CROSSCOMPILING_EMULATOR)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "gordian_discover_tests: ${target} is not an executable")
  elseif(emulator)
    message(FATAL_ERROR "gordian_discover_tests: ${target} needs an emulator; Gordian runs only "
                        "native programs: use gtest_discover_tests")
  endif()
  foreach(pair IN ITEMS "WORKING_DIRECTORY=${CMAKE_CURRENT_BINARY_DIR}" "TEST_LIST=${target}_TESTS"
                        "DISCOVERY_TIMEOUT=5"
                        "DISCOVERY_MODE=${CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE}")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" unused "${pair}")
    if("${arg_${CMAKE_MATCH_1}}" STREQUAL "")
      set(arg_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  _gordian_programs(${target})
  set(options ${arg_GORDIAN_ARGS})
  if(arg_ISOLATE)
    list(APPEND options "--isolate=${arg_ISOLATE}")
  endif()

  _gordian_next_call(${target} call)
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}-gordian${call}")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(config "")
  if(multi_config)
    set(config "-$<CONFIG>")
  endif()
  set(tests_file "${base}_tests${config}.cmake")

  set(discover "${gordian}" ctest-discover "--output=${tests_file}" "--test-list=${arg_TEST_LIST}"
      "--working-directory=${arg_WORKING_DIRECTORY}" "--discovery-timeout=${arg_DISCOVERY_TIMEOUT}" ${options})
  foreach(word IN ITEMS PREFIX SUFFIX FILTER)
    if(NOT "${arg_TEST_${word}}" STREQUAL "")
      string(TOLOWER "${word}" option)
      list(APPEND discover "--test-${option}=${arg_TEST_${word}}")
    endif()
  endforeach()
  if(arg_NO_PRETTY_TYPES)
    list(APPEND discover --no-pretty-types)
  endif()
  if(arg_NO_PRETTY_VALUES)
    list(APPEND discover --no-pretty-values)
  endif()
  list(APPEND discover "$<TARGET_FILE:${target}>" -- ${arg_DISCOVERY_EXTRA_ARGS})

  set(before "")
  if(arg_DISCOVERY_MODE STREQUAL "PRE_TEST")
    _gordian_quoted(command ${discover})
    string(CONCAT before
      "if(EXISTS [==[$<TARGET_FILE:${target}>]==] AND\n"
      "   (NOT EXISTS [==[${tests_file}]==] OR\n"
      "    NOT [==[${tests_file}]==] IS_NEWER_THAN [==[$<TARGET_FILE:${target}>]==] OR\n"
      "    NOT [==[${tests_file}]==] IS_NEWER_THAN \"\${CMAKE_CURRENT_LIST_FILE}\"))\n"
      "  file(REMOVE [==[${tests_file}]==])\n"
      "  execute_process(COMMAND${command} RESULT_VARIABLE code ERROR_VARIABLE said)\n"
      "  if(NOT code EQUAL 0)\n"
      "    message(FATAL_ERROR \"The tests of ${target} cannot be listed: \${said}\")\n"
      "  endif()\n"
      "endif()\n")
  elseif(arg_DISCOVERY_MODE STREQUAL "POST_BUILD" OR arg_DISCOVERY_MODE STREQUAL "")
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${tests_file}"
                       COMMAND ${discover} VERBATIM)
  else()
    message(FATAL_ERROR "gordian_discover_tests: DISCOVERY_MODE is POST_BUILD or PRE_TEST, not "
                        "${arg_DISCOVERY_MODE}")
  endif()

  # A list in a property: people escape its semicolons for gtest_discover_tests, or do not.
  set(properties "")
  foreach(word IN LISTS arg_PROPERTIES)
    string(REGEX REPLACE "\\\\+;" ";" word "${word}")
    string(APPEND properties " [==[${word}]==]")
  endforeach()
  set(xml "")
  if(arg_XML_OUTPUT_DIR)
    set(xml " \"--xml=${arg_XML_OUTPUT_DIR}/${arg_TEST_PREFIX}\${test}${arg_TEST_SUFFIX}.xml\"")
  endif()
  _gordian_quoted(options ${options})
  _gordian_quoted(extra ${arg_EXTRA_ARGS})
  string(CONCAT content "${before}"
    "if(EXISTS [==[${tests_file}]==])\n"
    "  function(gordian_add_discovered_test name test disabled)\n"
    "    add_test(\"\${name}\" [==[${client}]==]${options}${xml}\n"
    "             [==[$<TARGET_FILE:${target}>]==] \"\${test}\" --${extra})\n"
    "    set_tests_properties(\"\${name}\" PROPERTIES SKIP_RETURN_CODE 77\n"
    "      WORKING_DIRECTORY [==[${arg_WORKING_DIRECTORY}]==]${properties})\n"
    "    if(disabled)\n"
    "      set_tests_properties(\"\${name}\" PROPERTIES DISABLED TRUE)\n"
    "    endif()\n"
    "  endfunction()\n"
    "  include([==[${tests_file}]==])\n"
    "else()\n"
    "  add_test([==[${target}_NOT_BUILT]==] [==[${target}_NOT_BUILT]==])\n"
    "endif()\n")
  file(GENERATE OUTPUT "${base}_include${config}.cmake" CONTENT "${content}")
  set(include_file "${base}_include.cmake")
  if(multi_config)
    set(include_file "${base}_configs.cmake")
    file(WRITE "${include_file}"
      "if(EXISTS \"${base}_include-\${CTEST_CONFIGURATION_TYPE}.cmake\")\n"
      "  include(\"${base}_include-\${CTEST_CONFIGURATION_TYPE}.cmake\")\n"
      "else()\n"
      "  add_test([==[${target}_NOT_BUILT]==] [==[${target}_NOT_BUILT]==])\n"
      "endif()\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()
