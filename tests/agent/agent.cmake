# The agent's law, and the adapter as a user's project meets it.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

add_test(NAME agent.law
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_agent
                 --agent $<TARGET_FILE:gordian-agent> --source ${PROJECT_SOURCE_DIR})
set_tests_properties(agent.law PROPERTIES TIMEOUT 60)

foreach(origin IN ITEMS source install)
  if(origin STREQUAL "source")
    set(from --source ${PROJECT_SOURCE_DIR})
  else()
    set(from --install-from ${CMAKE_BINARY_DIR})
  endif()
  add_test(NAME adapter.${origin}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_adapter_project
                   --gordian $<TARGET_FILE:gordian> ${from}
                   --work ${CMAKE_BINARY_DIR}/adapter_project/${origin})
  set_tests_properties(adapter.${origin} PROPERTIES TIMEOUT 300)
endforeach()
