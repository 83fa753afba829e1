// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <array>

#include "frameworks/framework_traits.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSelecting = {"-ojunit"sv, "-oteamcity"sv};
constexpr std::array kOptions = {"-sg"sv, "-sn"sv, "-st"sv};
constexpr std::array kLibraries = {"libCppUTest"sv};
// It has no namespace: these are its classes and the families of its functions and variables.
constexpr std::array kNamespaces = {
    "Utest::"sv,
    "UtestShell::"sv,
    "IgnoredUtestShell::"sv,
    "TestRegistry::"sv,
    "TestResult::"sv,
    "TestPlugin::"sv,
    "NullTestPlugin::"sv,
    "SetPointerPlugin::"sv,
    "TestInstaller::"sv,
    "TestFailure::"sv,
    "TestOutput::"sv,
    "TestFilter::"sv,
    "ConsoleTestOutput::"sv,
    "CompositeTestOutput::"sv,
    "JUnitTestOutput::"sv,
    "TeamCityTestOutput::"sv,
    "CommandLineTestRunner::"sv,
    "CommandLineArguments::"sv,
    "MemoryLeakDetector"sv,
    "MemoryLeakWarningPlugin::"sv,
    "MemoryLeakOutputStringBuffer::"sv,
    "MemoryLeakAllocator::"sv,
    "TestMemoryAllocator::"sv,
    "NullUnknownAllocator::"sv,
    "OutsideTestRunnerUTest::"sv,
    "SimpleString"sv,
    "SimpleMutex::"sv,
    "PlatformSpecific"sv,
    "GetPlatformSpecificTime"sv,
    "TimeStringImplementation"sv,
    "cpputest_"sv,
    "MockSupport"sv,
    "MockNamedValue"sv,
    "MockCheckedExpectedCall"sv,
    "MockCheckedActualCall"sv,
    "MockExpectedCalls"sv,
    "defaultNewAllocator"sv,
    "defaultNewArrayAllocator"sv,
    "defaultMallocAllocator"sv,
    "operator_new_"sv,
    "operator_delete_"sv,
};
constexpr std::array kFolders = {"/include/CppUTest/"sv, "/include/CppUTestExt/"sv,
                                 "/src/CppUTest/"sv, "/src/CppUTestExt/"sv};
constexpr std::array kRunners = {"Utest::run"sv,
                                 "UtestShell::runOneTest"sv,
                                 "helperDoTestBody"sv,
                                 "helperDoTestSetup"sv,
                                 "helperDoTestTeardown"sv,
                                 "helperDoRunOneTest"sv,
                                 "PlatformSpecificSetJmp"sv,
                                 "TestRegistry::runAllTests"sv,
                                 "CommandLineTestRunner::"sv};

/// What TEST() and IGNORE_TEST() make of a test: "TEST_Group_Name_Test::testBody()".
bool is_test_body(std::string_view function) {
  return function.find("_Test::testBody()") != std::string_view::npos;
}

std::string functions_of(const Test& test) {
  return "TEST_" + test.suite + "_" + test.name + "_Test::";
}

constexpr std::array kSetUps = {"setup"sv};

/// File-local variables of the framework, which carry no class: told by name because its library
/// comes without debug information.
constexpr std::array kVariables = {"currentMallocAllocator"sv,
                                   "currentNewAllocator"sv,
                                   "currentNewArrayAllocator"sv,
                                   "globalDetector"sv,
                                   "globalReporter"sv,
                                   "jmp_buf_index"sv,
                                   "malloc_fptr"sv,
                                   "free_fptr"sv,
                                   "realloc_fptr"sv,
                                   "malloc_count"sv,
                                   "malloc_out_of_memory_counter"sv,
                                   "originalAllocator"sv,
                                   "pleaseCrashMeRightNow"sv,
                                   "pointerTableIndex"sv,
                                   "save_counter"sv,
                                   "test_exit_jmp_buf"sv,
                                   "global_mock"sv};

bool made_by_macro(std::string_view variable) {
  const bool of_test = variable.starts_with("TEST_") || variable.starts_with("IGNORE");
  return (of_test &&
          (variable.ends_with("_TestShell_instance") || variable.ends_with("_Installer"))) ||
         variable.starts_with("externTestGroup") || starts_with_any(variable, kVariables);
}

constexpr std::array kTests = {TestMacro{"TEST", TestForm::suite_and_name, false}};
constexpr std::array kChecks = {"CHECK"sv, "FAIL"sv, "FAIL_TEST"sv};
constexpr std::array kChecksBegin = {"CHECK_"sv, "STRCMP_"sv, "STRNCMP_"sv, "MEMCMP_"sv};
constexpr std::array kChecksHold = {"S_EQUAL"sv};
constexpr std::array kSkips = {"IGNORE_TEST"sv};
constexpr std::array kSuiteIsFixture = {"CppUTest"sv, "TEST_GROUP"sv};
/// The test that runs and its result, places to jump back to, known allocations.
constexpr std::array kBookkeeping = {"UtestShell::currentTest_"sv, "UtestShell::testResult_"sv,
                                     "TestRegistry::getCurrentRegistry()"sv, "test_exit_jmp_buf"sv,
                                     "globalDetector"sv};

}  // namespace

const FrameworkTraits& cpputest_traits() {
  static const FrameworkTraits kTraits = {
      .framework = Framework::cpputest,
      .word = "cpputest",
      .name = "CppUTest",
      .disabled_flag = "-ri",
      .selecting_flags = kSelecting,
      .selecting_options = kOptions,
      .macros = {.prefix = "",
                 .tests = kTests,
                 .checks = kChecks,
                 .checks_begin = kChecksBegin,
                 .checks_hold = kChecksHold,
                 .skips = kSkips,
                 .suite_is_fixture = kSuiteIsFixture},
      .libraries = kLibraries,
      .namespaces = kNamespaces,
      .folders = kFolders,
      .runners = kRunners,
      .is_test_body = is_test_body,
      .made_by_macro = made_by_macro,
      .functions_of = functions_of,
      .set_ups = kSetUps,
      .bookkeeping = kBookkeeping,
  };
  return kTraits;
}

}  // namespace gordian
