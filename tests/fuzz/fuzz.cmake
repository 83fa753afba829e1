# Fuzzers of what reads other people's files. Built by Clang with its libFuzzer, address and
# undefined behaviour sanitizers, whatever compiler the rest is built with; where that is missing,
# left out. ctest runs each for half a minute with a fixed seed (run_fuzzer):
#   ctest -R ^fuzz
# To search longer, and elsewhere:
#   GORDIAN_FUZZ_SECONDS=600 GORDIAN_FUZZ_SEED=7 ctest -R ^fuzz

set(GORDIAN_FUZZ_DIR ${CMAKE_CURRENT_BINARY_DIR}/fuzz)
set(GORDIAN_FUZZ_FLAGS -std=c++20 -O1 -g -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}
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

# One object, for all fuzzers that need it.
function(gordian_fuzz_object source result)
  string(REPLACE "/" "_" name ${source})
  set(object ${GORDIAN_FUZZ_DIR}/${name}.o)
  set(${result} ${object} PARENT_SCOPE)
  get_property(known GLOBAL PROPERTY GORDIAN_FUZZ_OBJECTS)
  if(object IN_LIST known)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY GORDIAN_FUZZ_OBJECTS ${object})
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${GORDIAN_FUZZ_COMPILER} ${GORDIAN_FUZZ_FLAGS}
            -fsanitize=fuzzer-no-link -MD -MF ${object}.d -c ${PROJECT_SOURCE_DIR}/${source} -o ${object}
    DEPENDS ${PROJECT_SOURCE_DIR}/${source}
    DEPFILE ${object}.d
    VERBATIM)
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

# gordian_fuzz_test(<name> <sources besides tests/fuzz/<name>_fuzz.cc> [SEEDS <directory>])
function(gordian_fuzz_test name)
  cmake_parse_arguments(arg "" "SEEDS" "" ${ARGN})
  if(NOT arg_SEEDS)
    set(arg_SEEDS ${GORDIAN_FUZZ_DIR}/seeds)
  endif()
  set(objects "")
  foreach(source tests/fuzz/${name}_fuzz.cc ${arg_UNPARSED_ARGUMENTS})
    gordian_fuzz_object(${source} object)
    list(APPEND objects ${object})
  endforeach()
  set(program ${GORDIAN_FUZZ_DIR}/${name}_fuzz)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${GORDIAN_FUZZ_COMPILER} ${GORDIAN_FUZZ_FLAGS} -fsanitize=fuzzer ${objects}
            -ldw -lelf -lcrypto -o ${program}
    DEPENDS ${objects}
    VERBATIM)
  get_property(seeds GLOBAL PROPERTY GORDIAN_FUZZ_SEEDS)
  add_custom_target(${name}_fuzz ALL DEPENDS ${program} ${seeds})
  add_test(NAME fuzz.${name}
           COMMAND ${PROJECT_SOURCE_DIR}/tests/fuzz/run_fuzzer ${program} ${arg_SEEDS})
  # Started among the first, so that nothing waits for it at the end.
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 900 COST 60)
endfunction()

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
  file(GLOB framework_symbols CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/src/frameworks/*/symbols.cc ${PROJECT_SOURCE_DIR}/src/frameworks/framework_kind.cc ${PROJECT_SOURCE_DIR}/src/frameworks/gtest/gtest_version.cc)
  file(GLOB framework_traits CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/src/frameworks/*/traits.cc ${PROJECT_SOURCE_DIR}/src/frameworks/framework_traits.cc)
  gordian_fuzz_test(elf
    src/symbols/elf_file.cc src/symbols/elf_identity.cc src/symbols/framework_detection.cc
    ${framework_symbols} src/symbols/hook_addresses.cc src/symbols/library_search.cc
    src/symbols/process_memory.cc src/symbols/vtable_scan.cc src/model/test.cc src/model/runtime_traits.cc src/base/check.cc)
  gordian_fuzz_test(debug_info
    src/symbols/debug_file.cc src/symbols/debug_info.cc src/symbols/dwarf_die.cc src/symbols/dwarf_file.cc
    src/symbols/elf_identity.cc src/symbols/index_cache.cc src/symbols/line_files.cc src/symbols/member_place.cc
    src/symbols/object_symbols.cc src/symbols/source_names.cc src/symbols/type_reader.cc
    src/symbols/unit_scopes.cc src/symbols/variable_index.cc src/symbols/variable_owner.cc
    ${framework_traits} src/model/frame_owner.cc src/model/test.cc src/model/runtime_traits.cc src/base/check.cc src/base/sha256.cc src/base/whole_file.cc)
  gordian_fuzz_test(wire
    src/runtime/native/wire_memory.cc src/runtime/native/decode.cc src/runtime/native/plan.cc src/runtime/native/watchdog.cc src/model/test.cc src/model/runtime_traits.cc
    src/model/outcome.cc src/base/check.cc)
  gordian_fuzz_test(placing
    src/repair/code.cc src/repair/count_checks.cc src/repair/framework_macros.cc src/repair/include_lines.cc
    src/repair/insert_include.cc src/repair/insert_statement.cc src/repair/layout.cc src/repair/lex_classes.cc
    src/repair/lex_statements.cc src/repair/lex_tests.cc src/repair/lexer.cc src/repair/line_diff.cc
    src/repair/scopes.cc SEEDS ${PROJECT_SOURCE_DIR}/zoo/guilty)
endif()
