# The header that patches add to a user's tests is part of the program: as a string.
function(gordian_embed_guards target)
  set(header ${PROJECT_SOURCE_DIR}/src/target/guards/gordian_guards.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} GORDIAN_GUARDS_TEXT)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/guards_text.cc.in
                 ${CMAKE_CURRENT_BINARY_DIR}/guards_text.cc @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/guards_text.cc)
endfunction()
