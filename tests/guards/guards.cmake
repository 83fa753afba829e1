# The header of guards that patches add, as its users build it: by several compilers and standards,
# whole and cut down. print_guards prints what a patch would add.
add_executable(print_guards ${CMAKE_CURRENT_LIST_DIR}/print_guards.cc)
target_link_libraries(print_guards PRIVATE gordian_core)
foreach(what whole alone pairs)
  add_test(NAME guards.${what}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_guards.py ${what}
                   $<TARGET_FILE:print_guards> ${CMAKE_CXX_COMPILER} clang++ clang++-19)
  set_tests_properties(guards.${what} PROPERTIES TIMEOUT 600)
endforeach()
