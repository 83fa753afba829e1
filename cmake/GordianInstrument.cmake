# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# gordian_instrument(<target>...)
#
# Makes traced builds of executables and libraries (docs/collectors.md), with the flags that
# `gordian cxxflags` prints for the compiler of this project. Libraries that hold code under test
# need it as much as the test executables. Needs CMake 3.18 and GCC or Clang.
#
# gordian_coverage(<target>...)
#
# Makes builds that count what each test covers (docs/coverage.md), likewise.
include_guard(GLOBAL)

function(_gordian_trace_flags result)
  set(program "${GORDIAN_EXECUTABLE}")
  if(NOT program)
    set(program "${GORDIAN_BIN_DIR}/gordian")
  endif()
  if(NOT EXISTS "${program}")
    message(FATAL_ERROR "gordian_instrument: gordian was not found; set GORDIAN_EXECUTABLE to its "
                        "path")
  endif()
  execute_process(COMMAND "${program}" cxxflags --lines ${ARGN}
                  RESULT_VARIABLE code OUTPUT_VARIABLE flags ERROR_VARIABLE said
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "gordian_instrument: ${said}")
  endif()
  string(REPLACE "\n" ";" flags "${flags}")
  # CMake drops what it has seen before; -mllvm and -include belong to the word behind them.
  string(REGEX REPLACE "(-mllvm|-include);" "SHELL:\\1 " flags "${flags}")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

function(gordian_instrument)
  _gordian_trace_flags(compile --compiler "${CMAKE_CXX_COMPILER}")
  _gordian_trace_flags(link --link)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${compile})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE ${link})
    endif()
  endforeach()
endfunction()

function(gordian_coverage)
  _gordian_trace_flags(compile --coverage --compiler "${CMAKE_CXX_COMPILER}")
  _gordian_trace_flags(link --coverage --link --compiler "${CMAKE_CXX_COMPILER}")
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${compile})
    # Also for static libraries: whoever links them needs the runtime.
    target_link_options(${target} PUBLIC ${link})
  endforeach()
endfunction()
