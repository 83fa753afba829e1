# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# The page of `gordian report --html` is part of the program. It is made from web/ with Node.js, in
# the build directory; where that is not possible the program says so when it is asked for a page.
function(gordian_embed_page target)
  find_program(GORDIAN_NPM npm DOC "Makes the page of HTML reports; without it there is none")
  set(page ${CMAKE_BINARY_DIR}/page/index.html)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/web/index.html ${PROJECT_SOURCE_DIR}/web/vite.config.ts
       ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  if(NOT GORDIAN_NPM)
    message(STATUS "npm was not found: `gordian report --html` is left out")
  endif()
  add_custom_command(
    OUTPUT ${page}
    COMMAND ${PROJECT_SOURCE_DIR}/web/make-page ${PROJECT_SOURCE_DIR}/web ${CMAKE_BINARY_DIR}/page
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/web/make-page
    COMMENT "Making the page of HTML reports" VERBATIM)
  set(GORDIAN_PAGE ${page})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page.cc.in ${CMAKE_BINARY_DIR}/page.cc @ONLY)
  set_source_files_properties(${CMAKE_BINARY_DIR}/page.cc PROPERTIES OBJECT_DEPENDS ${page})
  target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/page.cc)
endfunction()
