# Three flag sets, because three kinds of code live here.

# The tool: strict where we work on it, and under sanitizers when asked. Who builds a release is not
# told of warnings, which cost time to look for and which his compiler may be the first to know.
add_library(gordian_tool_flags INTERFACE)
target_compile_options(gordian_tool_flags INTERFACE
  "$<$<NOT:$<CONFIG:Release>>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Werror>"
  $<$<CONFIG:Release>:-w>
  # GCC 12 sees overlaps in std::string that are not there.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(GORDIAN_SANITIZE)
  target_compile_options(gordian_tool_flags INTERFACE
    -fsanitize=${GORDIAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(gordian_tool_flags INTERFACE -fsanitize=${GORDIAN_SANITIZE})
endif()

# Levels of a release: -O1 takes a quarter less to compile than -O2.
set(GORDIAN_HOT $<$<CONFIG:Release>:-O2>)
set(GORDIAN_COLD $<$<CONFIG:Release>:-O1>)

# GCC cleans up its own memory from 128 MB on, which is a fifth of compiling sources like ours. Where
# there is enough for all jobs at once, it begins later.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # in MB
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR heap "${memory} * 1000 / (${processors} * 3)")
if(heap GREATER 600000)
  set(heap 600000)
endif()
target_compile_options(gordian_tool_flags INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=100 --param ggc-min-heapsize=${heap}>")

# What is started very often starts faster without shared libraries; not every system has others.
include(CheckCXXSourceCompiles)
if(NOT GORDIAN_SANITIZE)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_cxx_source_compiles("int main() { return 0; }" GORDIAN_CAN_LINK_STATICALLY)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

# The agent: lives in somebody else's process. libc only, nothing exported, no runtime of its own.
add_library(gordian_agent_flags INTERFACE)
target_compile_features(gordian_agent_flags INTERFACE cxx_std_11)
target_compile_options(gordian_agent_flags INTERFACE
  -Wall -Wextra -Werror -O2 -g -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden
  -fno-threadsafe-statics
  -fasynchronous-unwind-tables)  # the stack of a test is read through our signal handler
target_link_options(gordian_agent_flags INTERFACE -nodefaultlibs -Wl,-z,now -Wl,-z,defs)
target_link_libraries(gordian_agent_flags INTERFACE c)

# The zoo: built as users build, with debug info, and never optimised into innocence.
add_library(gordian_zoo_flags INTERFACE)
target_compile_options(gordian_zoo_flags INTERFACE -O0 -g)
