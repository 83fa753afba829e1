# "An output format" of docs/adding.md, followed in a copy: the program with that format. Objects count
# more than what libraries have of the same name. For e2e.adding.
set(adding ${CMAKE_BINARY_DIR}/adding)
set(adding_room src/report/formats)
add_custom_command(
  OUTPUT ${adding}/${adding_room}/formats.h ${adding}/${adding_room}/formats.cc ${adding}/${adding_room}/csv.cc
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/follow.py ${PROJECT_SOURCE_DIR} ${adding}
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/follow.py ${PROJECT_SOURCE_DIR}/docs/adding.md
          ${PROJECT_SOURCE_DIR}/${adding_room}/formats.h ${PROJECT_SOURCE_DIR}/${adding_room}/formats.cc
  VERBATIM)
add_executable(gordian_adding ${PROJECT_SOURCE_DIR}/src/cli/main.cc ${adding}/${adding_room}/formats.cc
                              ${adding}/${adding_room}/csv.cc)
target_include_directories(gordian_adding BEFORE PRIVATE ${adding}/src)
target_compile_options(gordian_adding PRIVATE ${GORDIAN_COLD})
target_link_libraries(gordian_adding PRIVATE gordian_cli nlohmann_json::nlohmann_json)
target_link_options(gordian_adding PRIVATE -Wl,--allow-multiple-definition)
add_dependencies(gordian_adding gordian-agent)
