# A program that uses libc++, where a compiler for it is installed. The tests skip without.
function(gordian_libcxx_fixture test_target)
  find_program(GORDIAN_FIXTURE_clang clang++)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/state_fixtures)
  file(MAKE_DIRECTORY ${folder})
  if(NOT DEFINED GORDIAN_HAS_LIBCXX AND GORDIAN_FIXTURE_clang)
    file(WRITE ${folder}/probe.cc "#include <string>\nint main() { return std::string().size(); }\n")
    execute_process(
      COMMAND ${GORDIAN_FIXTURE_clang} -stdlib=libc++ ${folder}/probe.cc -o ${folder}/probe
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(GORDIAN_HAS_LIBCXX ON CACHE INTERNAL "clang++ -stdlib=libc++ works")
    endif()
  endif()
  if(GORDIAN_HAS_LIBCXX)
    set(source ${CMAKE_CURRENT_LIST_DIR}/state/fixtures/libcxx_values.cc)
    foreach(compiler_library libc++ libstdc++)
      # At a fixed address: the tests compare two processes.
      set(program ${folder}/values_${compiler_library})
      add_custom_command(
        OUTPUT ${program}
        COMMAND ${GORDIAN_FIXTURE_clang} -std=c++20 -g -O0 -fno-pie -no-pie
                -stdlib=${compiler_library} ${source} -o ${program}
        DEPENDS ${source} VERBATIM)
      list(APPEND programs ${program})
    endforeach()
    add_custom_target(libcxx_fixture DEPENDS ${programs})
    add_dependencies(${test_target} libcxx_fixture)
  endif()
  target_compile_definitions(${test_target} PRIVATE GORDIAN_STATE_FIXTURES="${folder}")
endfunction()
