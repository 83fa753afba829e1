# What belongs to a program besides itself: the manual page and completion for three shells, made by
# the program and installed where man and the shells look.
include(GNUInstallDirs)
set(shell_dir ${CMAKE_BINARY_DIR}/shell)
function(gordian_print name)
  add_custom_command(
    OUTPUT ${shell_dir}/${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${shell_dir}
    COMMAND gordian ${ARGN} > ${shell_dir}/${name}
    DEPENDS gordian VERBATIM)
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  gordian_print(gordian.1 man)
  gordian_print(gordian.bash completion bash)
  gordian_print(_gordian completion zsh)
  gordian_print(gordian.fish completion fish)
  add_custom_target(gordian_shell ALL
    DEPENDS ${shell_dir}/gordian.1 ${shell_dir}/gordian.bash ${shell_dir}/_gordian ${shell_dir}/gordian.fish)
  install(FILES ${shell_dir}/gordian.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${shell_dir}/gordian.bash RENAME gordian
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${shell_dir}/_gordian DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${shell_dir}/gordian.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
