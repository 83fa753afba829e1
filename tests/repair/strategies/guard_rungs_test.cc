// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The rungs beside `restore` that guard the polluter: own reset, fresh object, single members,
// accessor.
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kCache =
    "TEST(Cache, IsEmpty) {\n"
    "  EXPECT_TRUE(Cache::get().empty());\n"
    "}\n"
    "\n"
    "TEST(Cache, Fills) {\n"
    "  Cache::get().put(1);\n"
    "}\n";

void add_cache(Story& story) {
  StateFact& state = story.state("Cache::get()::cache");
  state.kind = StateKind::local_static;
  state.type = "::Cache";
  state.copyable = Known::no;
  story.facts().accessors.push_back(
      {"Cache::get()::cache", "::Cache::get()", Access::open, false, false, ""});
  story.depends("Cache.IsEmpty", "Cache.Fills", "Cache::get()::cache");
}

TEST(OwnResetStrategy, CallsItWhenThePolluterEnds) {
  Story story(kCache);
  add_cache(story);
  story.facts().resets.push_back(
      {"Cache::get()::cache", "::Cache::get().clear()", Access::open, "", false});
  EXPECT_THAT(story.after(Strategy::own_reset),
              HasSubstr("TEST(Cache, Fills) {\n"
                        "  gordian::AtExit reset_cache([] { Cache::get().clear(); });\n"
                        "  Cache::get().put(1);\n"));
  EXPECT_EQ(story.summary(Strategy::own_reset), "calls Cache::get().clear() when Cache.Fills ends");
}

TEST(OwnResetStrategy, LeavesAloneWhatItCannotCall) {
  Story none(kCache), hidden(kCache), asking(kCache);
  add_cache(none);
  EXPECT_EQ(none.why_not(Strategy::own_reset),
            "the code has no function that resets Cache::get()::cache");
  add_cache(hidden);
  hidden.facts().resets.push_back(
      {"Cache::get()::cache", "::Cache::get().clear()", Access::closed, "", false});
  EXPECT_EQ(hidden.why_not(Strategy::own_reset), "what resets Cache::get()::cache is private");
  add_cache(asking);
  asking.facts().resets.push_back(
      {"Cache::get()::cache", "::Cache::get().reset", Access::open, "", true});
  EXPECT_EQ(asking.why_not(Strategy::own_reset),
            "what may reset Cache::get()::cache needs arguments");
}

TEST(FreshStrategy, LetsTheTestWorkOnACopy) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) { g_profile->size = 3; }\n");
  StateFact& state = story.state("g_profile");
  state.type = "::Profile *";
  state.pointee = "::Profile";
  state.initializer = "= new Profile(7)";
  story.depends("A.Reads", "A.Writes", "g_profile->size", CarrierKind::heap);
  EXPECT_THAT(story.after(Strategy::fresh),
              HasSubstr("gordian::ScopedCopy<Profile*> copy_profile(g_profile);"));
  EXPECT_THAT(
      story.after(Strategy::fresh, 1),
      HasSubstr("gordian::ScopedFresh<Profile*> fresh_profile(g_profile, new Profile(7));"));
}

TEST(FreshStrategy, LeavesValuesAlone) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) {}\n");
  story.state("g_level");
  story.depends("A.Reads", "A.Writes", "g_level");
  EXPECT_EQ(story.why_not(Strategy::fresh), "g_level is no pointer to an object");
}

TEST(MembersStrategy, ReachesAPrivateStatic) {
  Story story(
      "TEST(Session, NoneIsOpen) { EXPECT_EQ(Session::count(), 0); }\n"
      "\n"
      "// Leaves one open.\n"
      "TEST(Session, Opens) { Session::open(); }\n");
  StateFact& state = story.state("Session::open_");
  state.kind = StateKind::class_static;
  state.access = Access::closed;
  state.owner = "Session";
  story.depends("Session.NoneIsOpen", "Session.Opens", "Session::open_");
  const std::string text = story.after(Strategy::members);
  EXPECT_THAT(text, HasSubstr("}\n\nGORDIAN_EXPOSE(SessionOpenMember, &Session::open_, int*);\n\n"
                              "// Leaves one open.\nTEST(Session, Opens) {"));
  EXPECT_THAT(text, HasSubstr("restore_open(*expose(SessionOpenMember()));"));
}

TEST(MembersStrategy, ReachesOneMemberOfASingleton) {
  Story story(kCache);
  add_cache(story);
  story.facts().states.back().members = {{"size_", "int", Access::closed, Known::yes},
                                         {"lock_", "std::mutex", Access::closed, Known::no}};
  story.explanation.carriers[0].key = {CarrierKind::variable, "Cache::get()::cache.size_"};
  EXPECT_THAT(story.after(Strategy::members), HasSubstr("Cache::get().*expose(CacheSizeMember())"));
  story.explanation.carriers[0].key = {CarrierKind::variable, "Cache::get()::cache.lock_"};
  EXPECT_EQ(story.why_not(Strategy::members), "the member lock_ cannot be copied");
}

TEST(MembersStrategy, ReachesThroughASmartPointer) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) { configure(); }\n");
  StateFact& state = story.state("g_storage");
  state.type = "std::shared_ptr<Storage>";
  state.pointee = "Storage";
  state.members = {{"flags_", "unsigned int", Access::closed, Known::yes}};
  story.depends("A.Reads", "A.Writes", "g_storage->flags_", CarrierKind::heap);
  EXPECT_THAT(story.after(Strategy::members),
              HasSubstr("restore_flags((*g_storage).*expose(StorageFlagsMember()));"));
  story.facts().states.back().type = "Storage *";
  EXPECT_THAT(story.after(Strategy::members),
              HasSubstr("restore_flags(g_storage->*expose(StorageFlagsMember()));"));
}

const std::string kTickets =
    "namespace {\n"
    "int next() {\n"
    "  static int last = 0;\n"
    "  return ++last;\n"
    "}\n"
    "}\n"
    "TEST(Ticket, IsFirst) { EXPECT_EQ(next(), 1); }\n"
    "TEST(Ticket, IsTaken) { next(); }\n";

TEST(AccessorStrategy, OpensAStaticOfAFunction) {
  Story story(kTickets);
  StateFact& state = story.state("next()::last");
  state.kind = StateKind::local_static;
  state.line = 3;
  story.depends("Ticket.IsFirst", "Ticket.IsTaken", "next()::last");
  const std::string text = story.after(Strategy::accessor);
  EXPECT_THAT(text, HasSubstr("static int last = 0;\n  return last;\n}\n"));
  EXPECT_THAT(text, HasSubstr("  int& last = next_last_for_test();\n  return ++last;\n"));
  EXPECT_THAT(text, HasSubstr("restore_last(next_last_for_test());"));
}

TEST(AccessorStrategy, ChangesProductCodeOnlyWhenAllowed) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) {}\n");
  story.add_file("/p/level.cc", "namespace {\nint level = 1;\n}\n");
  StateFact& state = story.state("(anonymous namespace)::level");
  state.internal = true;
  state.file = "/p/level.cc";
  state.line = 2;
  story.depends("A.Reads", "A.Writes", "level");
  EXPECT_EQ(story.why_not(Strategy::accessor),
            "it changes more than tests; --allow-product-code lets it try");
  story.options.allow_product_code = true;
  EXPECT_THAT(story.after(Strategy::accessor, 0, "/p/level.cc"),
              HasSubstr("int& level_for_test() { return level; }"));
  EXPECT_THAT(story.after(Strategy::accessor), HasSubstr("int& level_for_test();  // in level.cc"));
  EXPECT_TRUE(story.ask(Strategy::accessor).ladder.at(0).product_code);
}

TEST(AccessorStrategy, LeavesAloneWhatCanBeReached) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) {}\n");
  story.state("g_level");
  story.depends("A.Reads", "A.Writes", "g_level");
  EXPECT_EQ(story.why_not(Strategy::accessor), "g_level can be reached without one");
}

}  // namespace
}  // namespace gordian
