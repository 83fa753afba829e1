# Fuzzers of what reads other people's files. Built by Clang with its libFuzzer, address and
# undefined behaviour sanitizers, whatever compiler the rest is built with; where that is missing,
# left out. ctest runs each for ten seconds with a fixed seed (run_fuzzer), and those of `make
# test-all` for a minute:
#   ctest -R ^fuzz
# To search longer, and elsewhere:
#   GORDIAN_FUZZ_SECONDS=600 GORDIAN_FUZZ_SEED=7 ctest -R ^fuzz

set(GORDIAN_FUZZ_DIR ${CMAKE_CURRENT_BINARY_DIR}/fuzz)
set(GORDIAN_FUZZ_FLAGS -std=c++20 -O1 -gline-tables-only -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}
    -fsanitize=address,undefined -fno-sanitize-recover=undefined)

function(gordian_find_fuzzer result)
  file(MAKE_DIRECTORY ${GORDIAN_FUZZ_DIR}/seeds)
  find_program(GORDIAN_FUZZ_COMPILER clang++)
  if(GORDIAN_FUZZ_COMPILER AND NOT DEFINED GORDIAN_HAS_FUZZER)
    execute_process(
      COMMAND ${GORDIAN_FUZZ_COMPILER} ${GORDIAN_FUZZ_FLAGS} -fsanitize=fuzzer
              ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/empty_fuzz.cc -o ${GORDIAN_FUZZ_DIR}/empty_fuzz
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      message(STATUS "No fuzzing: ${GORDIAN_FUZZ_COMPILER} has no libFuzzer")
    endif()
    if(failed)
      set(GORDIAN_HAS_FUZZER OFF CACHE INTERNAL "")
    else()
      set(GORDIAN_HAS_FUZZER ON CACHE INTERNAL "")
    endif()
  endif()
  set(${result} ${GORDIAN_HAS_FUZZER} PARENT_SCOPE)
endfunction()

# Objects of sources, with counters and sanitizers; eight sources in one, like everywhere. A pattern
# that matches nothing is an error: something has moved, and would no longer be watched.
function(gordian_fuzz_objects result name)
  set(sources "")
  foreach(pattern ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
    if(NOT found)
      message(FATAL_ERROR "tests/fuzz/fuzz.cmake: there is no ${pattern}")
    endif()
    list(APPEND sources ${found})
  endforeach()
  set(objects "")
  set(count 0)
  foreach(source IN LISTS sources)
    math(EXPR count "${count} + 1")  # from one, so that groups are those of cmake/unity.cmake
    math(EXPR group "${count} / 8")
    string(APPEND text_${group} "#include \"${source}\"\n")
    list(APPEND sources_${group} ${source})
  endforeach()
  foreach(number RANGE ${group})
    set(unity ${GORDIAN_FUZZ_DIR}/${name}_${number}.cc)
    file(CONFIGURE OUTPUT ${unity} CONTENT "${text_${number}}" @ONLY)
    set(object ${GORDIAN_FUZZ_DIR}/${name}_${number}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${GORDIAN_FUZZ_COMPILER} ${GORDIAN_FUZZ_FLAGS}
              -fsanitize=fuzzer-no-link -MD -MF ${object}.d -c ${unity} -o ${object}
      DEPENDS ${unity} ${sources_${number}}
      DEPFILE ${object}.d
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

function(gordian_fuzz_seed name)
  set(seed ${GORDIAN_FUZZ_DIR}/seeds/${name}.so)
  set(source ${PROJECT_SOURCE_DIR}/tests/fuzz/seed.cc)
  add_custom_command(
    OUTPUT ${seed}
    COMMAND ${ARGN} -g -shared -fPIC -nostdlib -Wl,-z,noseparate-code ${source} -o ${seed}
    DEPENDS ${source}
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY GORDIAN_FUZZ_SEEDS ${seed})
endfunction()

# gordian_fuzz_test(<name> <objects of what it tries> [SEEDS <directory>])
function(gordian_fuzz_test name)
  cmake_parse_arguments(arg "" "SEEDS" "" ${ARGN})
  if(NOT arg_SEEDS)
    set(arg_SEEDS ${GORDIAN_FUZZ_DIR}/seeds)
  endif()
  gordian_fuzz_objects(own ${name}_fuzz tests/fuzz/${name}_fuzz.cc)
  set(objects ${own} ${arg_UNPARSED_ARGUMENTS})
  set(program ${GORDIAN_FUZZ_DIR}/${name}_fuzz)
  # What is not tried but needed comes from the tool's own libraries, as much of it as the linker
  # wants: nobody has to know here what needs what. Where these define again what was compiled for
  # the fuzzer, the first one stays.
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${GORDIAN_FUZZ_COMPILER} ${GORDIAN_FUZZ_FLAGS} -fsanitize=fuzzer ${objects}
            -Wl,-z,muldefs $<TARGET_FILE:gordian_core> $<TARGET_FILE:gordian_engine>
            $<TARGET_FILE:gordian_snapshot_probe> -lfmt -lpugixml -lsqlite3 -lZydis -lz -ldw -lelf
            -lcrypto -o ${program}
    DEPENDS ${objects} gordian_core gordian_engine gordian_snapshot_probe
    VERBATIM)
  get_property(seeds GLOBAL PROPERTY GORDIAN_FUZZ_SEEDS)
  add_custom_target(${name}_fuzz ALL DEPENDS ${program} ${seeds})
  add_test(NAME fuzz.${name}
           COMMAND ${PROJECT_SOURCE_DIR}/tests/fuzz/run_fuzzer ${program} ${arg_SEEDS})
  # Started among the first, so that nothing waits for it at the end.
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 900 COST 60)
  add_test(NAME long.fuzz.${name}
           COMMAND ${PROJECT_SOURCE_DIR}/tests/fuzz/run_fuzzer ${program} ${arg_SEEDS})
  set_tests_properties(long.fuzz.${name} PROPERTIES
    TIMEOUT 900 LABELS long ENVIRONMENT GORDIAN_FUZZ_SECONDS=60)
endfunction()

if(GORDIAN_SANITIZE)
  message(STATUS "No fuzzing: its sanitizers are not those of this build")
  return()
endif()
gordian_find_fuzzer(has_fuzzer)
if(has_fuzzer)
  foreach(version 4 5)
    gordian_fuzz_seed(our_${version} ${CMAKE_CXX_COMPILER} -gdwarf-${version})
    gordian_fuzz_seed(clang_${version} ${GORDIAN_FUZZ_COMPILER} -gdwarf-${version})
    set(types -gdwarf-${version} -fdebug-types-section)
    gordian_fuzz_seed(our_types_${version} ${CMAKE_CXX_COMPILER} ${types})
    gordian_fuzz_seed(clang_types_${version} ${GORDIAN_FUZZ_COMPILER} ${types})
  endforeach()
  gordian_fuzz_seed(optimised ${CMAKE_CXX_COMPILER} -O2)
  gordian_fuzz_seed(compressed ${CMAKE_CXX_COMPILER} -gz)
  gordian_fuzz_objects(symbols symbols "src/symbols/*.cc")
  gordian_fuzz_objects(wire wire src/runtime/native/decode.cc src/runtime/native/plan.cc
                       src/runtime/native/watchdog.cc src/runtime/native/wire_memory.cc)
  gordian_fuzz_objects(placing placing src/repair/code.cc src/repair/framework_macros.cc
                       "src/repair/insert_*.cc" "src/repair/lex*.cc" src/repair/line_diff.cc)
  gordian_fuzz_test(elf ${symbols})
  gordian_fuzz_test(debug_info ${symbols})
  gordian_fuzz_test(wire ${wire})
  gordian_fuzz_test(placing ${placing} SEEDS ${PROJECT_SOURCE_DIR}/zoo/guilty)
endif()
