// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <random>

#include "tests/symbols/fixture_paths.h"

namespace gordian {
namespace {

using namespace std::literals;

class ElfFileTest : public ScratchDir {
 protected:
  Error refused(const std::filesystem::path& path) {
    auto file = ElfFile::open(path);
    if (file.ok()) {
      ADD_FAILURE() << path << " was opened";
      return {};
    }
    EXPECT_EQ(file.error().kind, ErrorKind::target);
    return file.error();
  }

  static ElfFacts facts(std::string_view name) {
    auto file = ElfFile::open(fixture(name));
    if (!file.ok()) {
      ADD_FAILURE() << file.error().message;
      return {};
    }
    return file->facts();
  }

  static bool says(const Error& error, std::string_view part) {
    return error.message.find(part) != std::string::npos;
  }

  static std::string patched(std::string content, std::size_t at, std::string_view bytes) {
    return content.replace(at, bytes.size(), bytes);
  }
};

TEST_F(ElfFileTest, NamesWhatAFileIsInstead) {
  EXPECT_TRUE(says(refused(dir_ / "missing"), "no such file"));
  EXPECT_TRUE(says(refused(dir_), "is a directory"));
  EXPECT_TRUE(says(refused(write("s", "#!/bin/sh\necho\n")), "script (#!/bin/sh)"));
  EXPECT_TRUE(says(refused(write("t", "some words\n")), "text file"));
  EXPECT_TRUE(says(refused(write("e", "")), "empty"));
  EXPECT_TRUE(says(refused(write("w", "MZ\x90\0"sv)), "Windows"));
  EXPECT_TRUE(says(refused(write("m", "\xcf\xfa\xed\xfe\x07"sv)), "macOS"));
  EXPECT_TRUE(says(refused(write("a", "!<arch>\n/ 0")), "static library"));
  EXPECT_TRUE(says(refused(write("b", "\x01\x02\x03"sv)), "not an ELF"));
}

TEST_F(ElfFileTest, RefusesProgramsThatCannotRunHere) {
  const std::string good = read_whole(fixture("no_framework"));
  const std::string other_machine = our_machine() == EM_AARCH64 ? "\x3e\x00"s : "\xb7\x00"s;
  const Error foreign = refused(write("foreign", patched(good, 18, other_machine)));
  EXPECT_TRUE(says(foreign, "is built for"));
  EXPECT_TRUE(says(foreign, machine_name(our_machine())));
  EXPECT_TRUE(says(refused(write("small", patched(good, EI_CLASS, "\x01"))), "32-bit"));
  EXPECT_TRUE(says(refused(write("object", patched(good, 16, "\x01"))), "object file"));
  EXPECT_TRUE(says(refused(write("core", patched(good, 16, "\x04"))), "core dump"));
  EXPECT_TRUE(says(refused(write("locked", good, 0644)), "not executable"));
}

TEST_F(ElfFileTest, ALibraryIsNoProgramButCanBeOpenedAsOne) {
  const auto library = fixture("libfixture_helper.so");
  EXPECT_TRUE(says(refused(library), "shared library"));
  EXPECT_TRUE(ElfFile::open(library, ElfRole::library).ok());
}

TEST_F(ElfFileTest, EveryTruncationIsNoticed) {
  const std::string good = read_whole(fixture("gtest_stripped"));
  for (std::size_t size = 4; size < good.size(); size += good.size() / 40) {
    EXPECT_TRUE(says(refused(write("cut", good.substr(0, size))), "truncated")) << size;
  }
}

TEST_F(ElfFileTest, DamageNeverCrashesUs) {
  const std::string good = read_whole(fixture("gtest_stripped"));
  std::mt19937 random(7);
  // Most hits go where the tables are: the first kilobyte and the section headers at the end.
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (int hit = 0; hit < 8; ++hit) {
      const std::size_t at = random() % 2 ? random() % 1024 : bad.size() - 1 - random() % 2048;
      bad[at] = static_cast<char>(random());
    }
    auto file = ElfFile::open(write("bad", bad));
    if (!file) continue;
    file->find("main");
    file->mentions_symbol("_ZN7testing");
    file->contains_bytes("never there");
  }
}

TEST_F(ElfFileTest, TellsHowAProgramWasLinked) {
  EXPECT_TRUE(facts("gtest_plain").pie);
  EXPECT_TRUE(facts("gtest_plain").has_symtab);
  EXPECT_TRUE(facts("gtest_plain").has_debug_info);
  EXPECT_FALSE(facts("gtest_plain").statically_linked);
  EXPECT_FALSE(facts("gtest_stripped").has_symtab);
  EXPECT_FALSE(facts("gtest_stripped").has_debug_info);
  EXPECT_FALSE(facts("gtest_nopie").pie);
  EXPECT_TRUE(facts("gtest_static").statically_linked);
  EXPECT_EQ(facts("gtest_shared").runpath, "$ORIGIN");
  const auto needed = facts("gtest_shared").needed;
  EXPECT_EQ(std::count(needed.begin(), needed.end(), "libfixture_helper.so"), 1);
}

TEST_F(ElfFileTest, TellsInstrumentationApart) {
  EXPECT_EQ(facts("no_framework").sanitizer, Sanitizer::none);
  EXPECT_EQ(facts("sanitize_address").sanitizer, Sanitizer::address);
  EXPECT_EQ(facts("sanitize_thread").sanitizer, Sanitizer::thread);
  EXPECT_EQ(facts("sanitize_undefined").sanitizer, Sanitizer::undefined);
  EXPECT_EQ(facts("no_framework").coverage, CounterKind::none);
  EXPECT_EQ(facts("gcov_plain").coverage, CounterKind::gcov);
  EXPECT_EQ(facts("gcov_stripped").coverage, CounterKind::gcov);
  EXPECT_TRUE(facts("with_adapter").has_agent_adapter);
  EXPECT_FALSE(facts("gtest_plain").has_agent_adapter);
}

TEST_F(ElfFileTest, FindsSymbolsAndAnswersInOrder) {
  auto file = ElfFile::open(fixture("gtest_plain"));
  ASSERT_TRUE(file.ok());
  const std::vector<std::string_view> names = {
      "main", "no_such_symbol", "_ZTVN7testing8internal17TestEventRepeaterE", "main"};
  const auto found = file->find(names);
  ASSERT_EQ(found.size(), 4u);
  ASSERT_TRUE(found[0] && found[2] && found[3]);
  EXPECT_FALSE(found[1]);
  EXPECT_EQ(found[0]->vaddr, found[3]->vaddr);
  EXPECT_EQ(found[2]->size % 8, 0u);
  EXPECT_FALSE(file->find("memcpy")) << "wanted from libc, not defined here";
}

TEST_F(ElfFileTest, ConstantBytesSurviveStripping) {
  auto file = ElfFile::open(fixture("gtest_stripped"));
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file->find("main"));
  EXPECT_TRUE(file->contains_bytes("N7testing8internal17TestEventRepeaterE"));
  EXPECT_FALSE(file->contains_bytes("N7testing8internal17NoSuchClassAtAllE"));
}

TEST_F(ElfFileTest, ABuildIdIsHex) {
  auto file = ElfFile::open(fixture("no_framework"));
  ASSERT_TRUE(file.ok());
  const std::string id = file->facts().build_id;
  EXPECT_TRUE(id.empty() || id.size() >= 16) << id;
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace gordian
