# Rules that hold themselves: each check of tools/lint is a test, and the checks are tested. What a
# machine has no tool for is shown as skipped (77). All but clang-tidy take seconds.
foreach(check format includes types promises shell spelling)
  add_test(NAME lint.${check} COMMAND ${PROJECT_SOURCE_DIR}/tools/lint ${check})
  set_tests_properties(lint.${check} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77 LABELS lint)
endforeach()
add_test(NAME lint.tidy COMMAND ${PROJECT_SOURCE_DIR}/tools/lint tidy)
set_tests_properties(lint.tidy PROPERTIES
  TIMEOUT 14400 COST 14400 PROCESSORS 2 SKIP_RETURN_CODE 77 LABELS "lint;long"
  ENVIRONMENT "BUILD_DIR=${CMAKE_BINARY_DIR}/lint")
add_test(NAME lint.itself
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/lint_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.itself PROPERTIES TIMEOUT 60 LABELS lint)
