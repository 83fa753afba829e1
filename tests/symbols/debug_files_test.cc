// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Debug information that is elsewhere, missing or damaged.
#include <random>

#include "base/subprocess.h"
#include "symbols/dwarf_file.h"
#include "tests/symbols/debug_fixture.h"

namespace gordian {
namespace {

class DebugFilesTest : public ScratchDir {
 protected:
  /// The first fixture of this kind, by whatever compiler there is.
  static std::filesystem::path any(std::string_view kind) {
    for (const std::string& name : debug_fixtures()) {
      if (name.ends_with(kind)) return debug_fixture(name);
    }
    return {};
  }

  static void objcopy(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), GORDIAN_OBJCOPY);
    auto result = run_subprocess(arguments);
    ASSERT_TRUE(result.ok() && result->succeeded()) << result->err;
  }

  /// program, stripped, with its debug information in program.debug.
  std::filesystem::path separated(bool link) {
    const std::string program = dir_ / "program", debug = dir_ / "program.debug";
    std::filesystem::copy_file(any("_dwarf5"), program);
    objcopy({"--only-keep-debug", program, debug});
    objcopy({"--strip-all", program});
    if (link) objcopy({"--add-gnu-debuglink=" + debug, program});
    return program;
  }

  DebugInfoOptions here() const {
    DebugInfoOptions options;
    options.debug_root = dir_ / "root";
    return options;
  }
};

bool complete(const DebugInfo& info) {
  const Variable* limits = info.variable_named("app::g_limits");
  return info.has_types() && limits != nullptr && info.type(limits->type_id) != nullptr &&
         info.variable_named("depth()::current") != nullptr;
}

TEST_F(DebugFilesTest, FollowsADebugLink) {
  const auto program = separated(true);
  EXPECT_TRUE(complete(opened(program, here())));
  std::filesystem::create_directory(dir_ / ".debug");
  std::filesystem::rename(dir_ / "program.debug", dir_ / ".debug" / "program.debug");
  EXPECT_TRUE(complete(opened(program, here())));
  const auto root = dir_ / "root" / dir_.relative_path();
  std::filesystem::create_directories(root);
  std::filesystem::rename(dir_ / ".debug" / "program.debug", root / "program.debug");
  EXPECT_TRUE(complete(opened(program, here())));
}

TEST_F(DebugFilesTest, FindsDebugFilesByBuildId) {
  const auto program = separated(false);
  EXPECT_FALSE(opened(program, here()).has_types());
  auto module = OpenElf::open(program);
  ASSERT_TRUE(module.ok());
  const std::string id = module->build_id();
  ASSERT_GT(id.size(), 4u);
  const auto folder = dir_ / "root" / ".build-id" / id.substr(0, 2);
  std::filesystem::create_directories(folder);
  std::filesystem::rename(dir_ / "program.debug", folder / (id.substr(2) + ".debug"));
  EXPECT_TRUE(complete(opened(program, here())));
}

TEST_F(DebugFilesTest, AnotherBuildsDebugFileIsNotTaken) {
  const auto program = separated(true);
  objcopy({"--only-keep-debug", any("_dwarf4"), dir_ / "program.debug"});
  EXPECT_FALSE(opened(program, here()).has_types());
}

TEST_F(DebugFilesTest, WithoutABuildIdTheChecksumDecides) {
  const auto program = separated(false);
  objcopy({"--remove-section=.note.gnu.build-id", program});
  objcopy({"--add-gnu-debuglink=" + (dir_ / "program.debug").string(), program});
  EXPECT_TRUE(complete(opened(program, here())));
  std::ofstream(dir_ / "program.debug", std::ios::app) << "x";
  EXPECT_FALSE(opened(program, here()).has_types());
}

TEST_F(DebugFilesTest, SymbolsAreBetterThanNothing) {
  const std::string program = dir_ / "program";
  std::filesystem::copy_file(any("_dwarf5"), program);
  objcopy({"--strip-debug", program});
  const DebugInfo info = opened(program, here());
  EXPECT_FALSE(info.has_types());
  for (const char* name : {"g_plain", "depth()::current", "app::Pool<int>::used",
                           "Settings::instance()::settings", "in_lambda()::{lambda}()::calls"}) {
    const Variable* variable = info.variable_named(name);
    ASSERT_NE(variable, nullptr) << name;
    EXPECT_EQ(variable->size, 4u) << name;
    EXPECT_EQ(variable->type_id, 0u) << name;
  }
  const Variable* settings = info.variable_named("Settings::instance()::settings");
  EXPECT_TRUE(info.guard_of(*settings).has_value());
  EXPECT_TRUE(info.variable_named("t_first")->thread_local_storage);
}

TEST_F(DebugFilesTest, SaysWhichSplitFileIsMissing) {
  const auto folder = any("_split5").parent_path();
  // The units look where they were compiled, and beside the program: neither must have them.
  std::string program = read_whole(folder / "program");
  for (std::size_t at = 0; (at = program.find(folder.string(), at)) != std::string::npos; ++at) {
    program[at + 1] = '!';
  }
  const DebugInfo info = opened(write("program", program), here());
  ASSERT_EQ(info.notes().size(), 2u);
  EXPECT_NE(info.notes()[0].find(".dwo"), std::string::npos) << info.notes()[0];
  EXPECT_NE(info.variable_named("g_plain"), nullptr);
}

TEST_F(DebugFilesTest, RefusesWhatIsNoModule) {
  EXPECT_FALSE(DebugInfo::open(dir_ / "missing").ok());
  EXPECT_FALSE(DebugInfo::open(dir_).ok());
  EXPECT_FALSE(DebugInfo::open(write("text", "int main() {}")).ok());
}

/// Reads everything that can be read.
void read_all(const DebugInfo& info) {
  for (const Variable& variable : info.variables()) {
    const Type* type = info.type(variable.type_id);
    if (type != nullptr) type->target();
  }
}

TEST_F(DebugFilesTest, DamageNeverCrashesUs) {
  std::mt19937 random(11);
  for (const char* kind : {"_dwarf4", "_dwarf5", "_types4", "_compressed"}) {
    const std::string good = read_whole(any(kind));
    for (int round = 0; round < 25; ++round) {
      std::string bad = good;
      // Debug information is most of the file behind its code.
      for (int hit = 0; hit < 40; ++hit) {
        bad[bad.size() / 4 + random() % (bad.size() * 3 / 4)] = static_cast<char>(random());
      }
      auto info = DebugInfo::open(write("bad", bad), here());
      if (info.ok()) read_all(*info);
    }
  }
}

}  // namespace
}  // namespace gordian
