# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# gordian_link_adapter(<executable>...)
#
# Compiles Gordian's adapter into GoogleTest executables, for those into which the agent cannot be
# preloaded (docs/frameworks.md). As sources of the executable itself, so that it is built with its
# flags and its GoogleTest headers. Needs CMake 3.18 and C++11; works from Gordian's source tree and
# from an installation, also as find_package(gordian).
include_guard(GLOBAL)

set(_gordian_adapter_root "")
foreach(_gordian_root IN ITEMS "${CMAKE_CURRENT_LIST_DIR}/../src"
                               "${CMAKE_CURRENT_LIST_DIR}/../../../share/gordian/src")
  if(NOT _gordian_adapter_root AND EXISTS "${_gordian_root}/target/adapter/gtest_adapter.cc")
    get_filename_component(_gordian_adapter_root "${_gordian_root}" ABSOLUTE)
  endif()
endforeach()
if(NOT _gordian_adapter_root)
  message(FATAL_ERROR "GordianAdapter.cmake: the adapter's sources are not installed with it")
endif()
# The part that knows no framework, and the part for GoogleTest; relative to the root.
set(_gordian_neutral branch capture channel hold hygiene listing place plan
    test_events snapshot/address_space
    snapshot/checkpoint snapshot/kernel_state snapshot/machine snapshot/memory_rollback
    snapshot/probe
    snapshot/proc_files snapshot/switch snapshot/syscall_effects snapshot/syscall_gate)
list(TRANSFORM _gordian_neutral REPLACE "(.+)" "target/agent/\\1.cc")
file(GLOB _gordian_page_ways RELATIVE "${_gordian_adapter_root}"
     "${_gordian_adapter_root}/target/agent/snapshot/*_pages.cc")
list(APPEND _gordian_neutral ${_gordian_page_ways})
set_property(GLOBAL PROPERTY GORDIAN_ADAPTER_ROOT "${_gordian_adapter_root}")
set_property(GLOBAL PROPERTY GORDIAN_ADAPTER_NEUTRAL "${_gordian_neutral}")
set_property(GLOBAL PROPERTY GORDIAN_ADAPTER_GTEST "target/adapter/gtest_adapter.cc")

function(gordian_link_adapter)
  get_property(root GLOBAL PROPERTY GORDIAN_ADAPTER_ROOT)
  get_property(neutral GLOBAL PROPERTY GORDIAN_ADAPTER_NEUTRAL)
  get_property(framework GLOBAL PROPERTY GORDIAN_ADAPTER_GTEST)
  list(TRANSFORM neutral PREPEND "${root}/")
  list(TRANSFORM framework PREPEND "${root}/")
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "EXECUTABLE")
      message(FATAL_ERROR "gordian_link_adapter: ${target} is not an executable")
    endif()
    target_sources(${target} PRIVATE ${neutral} ${framework})
    # Our sources are not the project's: its warnings, linters, precompiled headers and unity builds
    # do not concern them, and nothing of theirs is visible to its own sources.
    set_property(SOURCE ${neutral} ${framework} TARGET_DIRECTORY ${target} PROPERTY
                 INCLUDE_DIRECTORIES "${root}")
    set_property(SOURCE ${neutral} ${framework} TARGET_DIRECTORY ${target} PROPERTY
                 COMPILE_OPTIONS -w)
    # libc only and used across fork(): no sanitizer's business either.
    set_property(SOURCE ${neutral} TARGET_DIRECTORY ${target} APPEND PROPERTY
                 COMPILE_OPTIONS -fno-sanitize=all -fvisibility=hidden -fno-lto)
    foreach(exemption IN ITEMS SKIP_UNITY_BUILD_INCLUSION SKIP_PRECOMPILE_HEADERS SKIP_AUTOGEN
                               SKIP_LINTING)
      set_property(SOURCE ${neutral} ${framework} TARGET_DIRECTORY ${target} PROPERTY
                   ${exemption} ON)
    endforeach()
  endforeach()
endfunction()
