# What tests compile while they run is mostly GoogleTest's header, which is most of what that takes:
# compiled once here, in the ways that they ask for, and found by GCC through the environment. It
# checks that one fits and else reads the header itself; other compilers do not look.
set(GORDIAN_E2E_ENVIRONMENT "")
find_path(GORDIAN_GTEST_INCLUDE gtest/gtest.h)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND GORDIAN_GTEST_INCLUDE)
  set(headers ${CMAKE_BINARY_DIR}/e2e_headers)
  set(folder ${headers}/gtest/gtest.h.gch)
  file(MAKE_DIRECTORY ${folder})
  set(made "")
  foreach(standard gnu++17 c++17)
    foreach(debug -g -g0)
      set(file ${folder}/${standard}${debug})
      add_custom_command(
        OUTPUT ${file}
        COMMAND ${CMAKE_CXX_COMPILER} -x c++-header -std=${standard} ${debug}
                ${GORDIAN_GTEST_INCLUDE}/gtest/gtest.h -o ${file}
        DEPENDS ${GORDIAN_GTEST_INCLUDE}/gtest/gtest.h VERBATIM)
      list(APPEND made ${file})
    endforeach()
  endforeach()
  add_custom_target(e2e_headers ALL DEPENDS ${made})
  set(GORDIAN_E2E_ENVIRONMENT "CPLUS_INCLUDE_PATH=${headers}")
endif()
