# Three flag sets, because three kinds of code live here.

# The tool: strict, and under sanitizers when asked. A warning that only somebody's newer compiler
# knows must not keep him from building a release.
add_library(gordian_tool_flags INTERFACE)
target_compile_options(gordian_tool_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor $<$<NOT:$<CONFIG:Release>>:-Werror>
  # GCC 12 sees overlaps in std::string that are not there, and with -O3 also ends of it.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
if(GORDIAN_SANITIZE)
  target_compile_options(gordian_tool_flags INTERFACE
    -fsanitize=${GORDIAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(gordian_tool_flags INTERFACE -fsanitize=${GORDIAN_SANITIZE})
endif()

# For what nobody waits for: in a release half the time to compile, in a debug build what -O0 takes.
set(GORDIAN_COLD $<$<CONFIG:Release>:-O1>)

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
