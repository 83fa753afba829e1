// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whatever tests are called and print, the page stays the page.
#include "report/page/html.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using nlohmann::json;

constexpr std::string_view kPage =
    "<html><script type=\"application/json\">\"GORDIAN_REPORT\"</script></html>";

/// What the page's script reads back.
json embedded(const std::string& html) {
  const std::size_t begin = html.find('>', html.find("<script")) + 1;
  return json::parse(html.substr(begin, html.find("</script>") - begin));
}

TEST(HtmlPage, HoldsTheDocument) {
  json report = {{"kind", "report"}, {"tests", {"A.b", "C.d"}}};
  auto html = page_with(kPage, report);
  ASSERT_TRUE(html.ok());
  EXPECT_EQ(embedded(*html), report);
}

TEST(HtmlPage, AHostileNameCannotEndTheScript) {
  for (std::string name : {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;b>",
                           "\xe2\x80\xa8 line separator", "quote \" and \\ backslash"}) {
    auto html = page_with(kPage, json{{"name", name}});
    ASSERT_TRUE(html.ok());
    EXPECT_EQ(embedded(*html).at("name"), name);
    const std::size_t begin = html->find('>', html->find("<script")) + 1;
    const std::string data = html->substr(begin, html->rfind("</script>") - begin);
    EXPECT_EQ(data.find_first_of("<>&"), std::string::npos) << data;
  }
}

TEST(HtmlPage, BytesThatAreNoUtf8AreReplaced) {
  auto html = page_with(kPage, json{{"name",
                                     "a\xff"
                                     "b"}});
  ASSERT_TRUE(html.ok());
  EXPECT_EQ(embedded(*html).at("name"),
            "a\xef\xbf\xbd"
            "b");
}

TEST(HtmlPage, WithoutAPageTheUserIsToldWhatToDo) {
  auto html = page_with("", json::object());
  ASSERT_FALSE(html.ok());
  EXPECT_EQ(html.error().kind, ErrorKind::usage);
  EXPECT_NE(html.error().hint.find("nodejs"), std::string::npos);
}

TEST(HtmlPage, APageWithoutAPlaceIsOurFault) {
  auto html = page_with("<html></html>", json::object());
  ASSERT_FALSE(html.ok());
  EXPECT_EQ(html.error().kind, ErrorKind::internal);
}

}  // namespace
}  // namespace gordian
