# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
#
# The pages of `gordian help TOPIC` are part of the program: cli/help/*.txt, as strings.
function(gordian_embed_help target)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/help/*.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
  set(GORDIAN_HELP_TOPICS "")
  foreach(page ${pages})
    get_filename_component(name ${page} NAME_WE)
    file(READ ${page} text)
    string(APPEND GORDIAN_HELP_TOPICS "    {\"${name}\", R\"help(${text})help\"},\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/help_topics.cc.in
                 ${CMAKE_CURRENT_BINARY_DIR}/help_topics.cc @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/help_topics.cc)
endfunction()
