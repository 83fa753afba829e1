# Real GoogleTest versions, compilers and flags: builds what is not built yet, then drives every
# cell. Sources come from the machine's package mirror; cells that cannot be built are left out and
# named in the output.
set(GORDIAN_MATRIX_SET quick CACHE STRING "Cells of the matrix: quick or full")
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

add_test(NAME matrix.build
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/build_matrix
                 --out ${CMAKE_BINARY_DIR}/matrix --cache ${CMAKE_BINARY_DIR}/googletest
                 --set ${GORDIAN_MATRIX_SET} --jobs 2)
set_tests_properties(matrix.build PROPERTIES
  TIMEOUT 1800 PROCESSORS 2 FIXTURES_SETUP gordian_matrix COST 1000 LABELS long)

add_test(NAME matrix
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run_matrix
                 --gordian $<TARGET_FILE:gordian> --matrix ${CMAKE_BINARY_DIR}/matrix --jobs 2)
set_tests_properties(matrix PROPERTIES
  TIMEOUT 900 PROCESSORS 2 FIXTURES_REQUIRED gordian_matrix LABELS long
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
