# One program with debug information in all the ways that compilers and packagers write it, for
# the tests of symbols/debug_info. Built by hand, because one build here is one compiler.

function(gordian_debug_fixture name compiler)
  set(sources ${GORDIAN_FIXTURE_SOURCES}/debug_variables.cc
              ${GORDIAN_FIXTURE_SOURCES}/debug_variables_other.cc)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/symbol_fixtures/debug_${name})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${folder}/program
    COMMAND ${compiler} -std=c++20 -g -O0 -Wl,--build-id ${ARGN} -c ${sources}
    COMMAND ${compiler} -g ${ARGN} -Wl,--build-id debug_variables.o debug_variables_other.o -o program
    WORKING_DIRECTORY ${folder}
    DEPENDS ${sources} ${GORDIAN_FIXTURE_SOURCES}/debug_variables.h
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY GORDIAN_DEBUG_FIXTURES ${name})
  set_property(GLOBAL APPEND PROPERTY GORDIAN_DEBUG_FIXTURE_FILES ${folder}/program)
endfunction()

function(gordian_debug_fixtures test_target)
  foreach(compiler g++ clang++)
    string(REPLACE "++" "" word ${compiler})
    find_program(GORDIAN_FIXTURE_${word} ${compiler})
    if(NOT GORDIAN_FIXTURE_${word})
      continue()
    endif()
    foreach(version 4 5)
      gordian_debug_fixture(${word}_dwarf${version} ${GORDIAN_FIXTURE_${word}} -gdwarf-${version})
      gordian_debug_fixture(${word}_split${version} ${GORDIAN_FIXTURE_${word}} -gdwarf-${version}
                            -gsplit-dwarf)
    endforeach()
    gordian_debug_fixture(${word}_types4 ${GORDIAN_FIXTURE_${word}} -gdwarf-4 -fdebug-types-section)
    gordian_debug_fixture(${word}_types5 ${GORDIAN_FIXTURE_${word}} -gdwarf-5 -fdebug-types-section)
    gordian_debug_fixture(${word}_compressed ${GORDIAN_FIXTURE_${word}} -gz)
    gordian_debug_fixture(${word}_lines ${GORDIAN_FIXTURE_${word}} -g1)
    gordian_debug_fixture(${word}_nopie ${GORDIAN_FIXTURE_${word}} -fno-pie -no-pie)
  endforeach()
  get_property(names GLOBAL PROPERTY GORDIAN_DEBUG_FIXTURES)
  get_property(files GLOBAL PROPERTY GORDIAN_DEBUG_FIXTURE_FILES)
  # No types in these: for other tests than all the rest.
  list(FILTER names EXCLUDE REGEX "_lines$")
  list(JOIN names " " names)
  add_custom_target(debug_fixtures DEPENDS ${files})
  add_dependencies(${test_target} debug_fixtures)
  find_program(GORDIAN_OBJCOPY objcopy REQUIRED)
  target_compile_definitions(${test_target} PRIVATE
    GORDIAN_DEBUG_FIXTURES="${names}"
    GORDIAN_DEBUG_SOURCES="${GORDIAN_FIXTURE_SOURCES}"
    GORDIAN_OBJCOPY="${GORDIAN_OBJCOPY}")
endfunction()
