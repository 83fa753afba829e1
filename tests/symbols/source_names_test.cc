// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/types.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(SourceName, ShowsFunctionsWithoutTheirParameters) {
  EXPECT_EQ(source_name("g_x"), "g_x");
  EXPECT_EQ(source_name("depth(int)::current"), "depth()::current");
  EXPECT_EQ(source_name("app::f(void (*)(int), char const*)::n"), "app::f()::n");
  EXPECT_EQ(source_name("A::get() const::value"), "A::get()::value");
  EXPECT_EQ(source_name("A::take() &&::value"), "A::take()::value");
  EXPECT_EQ(source_name("Pool<std::vector<int> >::used"), "Pool<std::vector<int> >::used");
}

TEST(SourceName, DropsReturnTypesOfTemplates) {
  EXPECT_EQ(source_name("int twice<int>(int)::last"), "twice<int>()::last");
  EXPECT_EQ(source_name("std::vector<int> f<int>()::v"), "f<int>()::v");
}

TEST(SourceName, DropsAnonymousNamespacesAndTags) {
  EXPECT_EQ(source_name("(anonymous namespace)::f(int)::x"), "f()::x");
  EXPECT_EQ(source_name("app::name[abi:cxx11]"), "app::name");
  EXPECT_EQ(common_spelling("Pool<{anonymous}::Key>"), "Pool<Key>");
}

TEST(SourceName, KnowsOperatorsAndLambdas) {
  EXPECT_EQ(source_name("A::operator()(int)::n"), "A::operator()()::n");
  EXPECT_EQ(source_name("A::operator<(A const&)::n"), "A::operator<()::n");
  EXPECT_EQ(source_name("f()::{lambda(int)#2}::operator()(int) const::n"), "f()::{lambda}()::n");
  EXPECT_EQ(source_name("f()::$_0::operator()() const::n"), "f()::{lambda}()::n");
}

TEST(SourceName, LeavesWhatItCannotRead) {
  EXPECT_EQ(source_name("f(int"), "f(int");
  EXPECT_EQ(source_name(""), "");
}

TEST(SourceName, SpellsIntegersAsDemanglersDo) {
  EXPECT_EQ(common_spelling("long unsigned int"), "unsigned long");
  EXPECT_EQ(common_spelling("A<long int, short unsigned int>"), "A<long, unsigned short>");
  EXPECT_EQ(common_spelling("long long int"), "long long");
  EXPECT_EQ(common_spelling("unsigned int"), "unsigned int");
  EXPECT_EQ(common_spelling("A<along int, long interval>"), "A<along int, long interval>");
}

TEST(NameOfSymbol, DemanglesWithoutVersionsAndNumbers) {
  EXPECT_EQ(name_of_symbol("_ZZ5depthiE7current"), "depth()::current");
  EXPECT_EQ(name_of_symbol("_ZSt4cout@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(name_of_symbol("count.0"), "count");
  EXPECT_EQ(name_of_symbol("plain"), "plain");
  EXPECT_EQ(name_of_symbol("_Znonsense"), "_Znonsense");
}

TEST(OwnerOf, GoesByNameAndFile) {
  EXPECT_EQ(owner_of("app::g_x", "/home/me/x.cc"), Owner::program);
  EXPECT_EQ(owner_of("app::g_x", ""), Owner::program);
  EXPECT_EQ(owner_of("testing::FLAGS_gtest_shuffle", ""), Owner::framework);
  EXPECT_EQ(owner_of("A_B_Test::test_info_", "/home/me/a_test.cc"), Owner::framework);
  EXPECT_EQ(owner_of("gtest_Values_dummy_", "/home/me/a_test.cc"), Owner::framework);
  EXPECT_EQ(owner_of("g_seen", "/src/googletest/src/gtest.cc"), Owner::framework);
  EXPECT_EQ(owner_of("g_seen", "/src/googletest/test/gtest_unittest.cc"), Owner::program);
  EXPECT_EQ(owner_of("std::cout", ""), Owner::library);
  EXPECT_EQ(owner_of("__gnu_cxx::x", ""), Owner::library);
  EXPECT_EQ(owner_of("stdout", "/usr/include/stdio.h"), Owner::library);
  EXPECT_EQ(owner_of("x", "/usr/bin/../lib/gcc/x/12/../../../../include/c++/12/a.h"),
            Owner::library);
}

}  // namespace
}  // namespace gordian
