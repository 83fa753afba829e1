# Sources of a target compiled several at a time: what they include and instantiate is done once for
# all of them, which is most of the work. Eight of one folder each, in the order of their names, so
# that a new file changes little. So within a folder no two helpers in anonymous namespaces share a
# name: the compiler says so at once.
function(gordian_compile_together target)
  if(NOT GORDIAN_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(NOT path MATCHES "^([a-z0-9_/]+)/[^/]+\\.cc$")
      continue()
    endif()
    string(REPLACE "/" "_" folder "${CMAKE_MATCH_1}")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    math(EXPR group "${count_${folder}} / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()
