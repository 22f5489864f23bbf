#include "footfall/report/html.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "footfall/error.hpp"
#include "report/xml_mistake.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HtmlPage full_page() {
  const PlotPanel panel{.title = "a panel",
                        .x = {.label = "x"},
                        .y = {.label = "y"},
                        .lines = {{.label = "line", .x = {0, 1}, .y = {1, 2}}},
                        .bands = {}};
  HtmlPage page("A & B < C");
  page.heading("First \"part\"");
  page.subheading("Below");
  page.paragraph("δ < 3 mm & rising");
  page.warnings({"n and k trade off", "<b>not bold</b>"});
  page.table({.header = {"parameter", "value"}, .rows = {{"n", "1.1"}, {"k <", "2"}}});
  page.plot({.title = "one", .subtitle = {}, .panels = {panel}, .columns = 1});
  page.plot({.title = "two", .subtitle = {}, .panels = {panel}, .columns = 1});
  page.preformatted("name = \"sand\"\nn = 1 # < 2\n");
  return page;
}

// Without the line that XML does not know.
std::string xml_of(const HtmlPage& page) {
  const std::string text = page.finish();
  return text.substr(text.find("<html"));
}

TEST(Html, IsWellFormedAndEscaped) {
  const std::string text = xml_of(full_page());
  EXPECT_EQ(xml_mistake(text), "");
  EXPECT_THAT(text, HasSubstr("<title>A &amp; B &lt; C</title>"));
  EXPECT_THAT(text, HasSubstr("<li>&lt;b&gt;not bold&lt;/b&gt;</li>"));
  EXPECT_THAT(text, HasSubstr("<td>k &lt;</td><td>2</td>"));
  EXPECT_THAT(text, HasSubstr("\nn = 1 # &lt; 2\n</pre>"));
}

TEST(Html, NeedsNothingElse) {
  const std::string text = full_page().finish();
  for (const char* word : {"http", "<script", "<link", "src=", "@import"}) {
    EXPECT_THAT(text, Not(HasSubstr(word)));
  }
  EXPECT_THAT(text, HasSubstr("prefers-color-scheme: dark"));
}

TEST(Html, NamesInPicturesAreUnique) {
  const std::string text = full_page().finish();
  const std::regex id(" id=\"([^\"]*)\"");
  std::set<std::string> names;
  int count = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), id), end; i != end; ++i, ++count) {
    EXPECT_TRUE(names.insert((*i)[1]).second) << (*i)[1];
    EXPECT_THAT(text, HasSubstr("url(#" + (*i)[1].str() + ")"));
  }
  EXPECT_GE(count, 2);
}

TEST(Html, NoWarningsAreNoList) {
  HtmlPage page("quiet");
  page.warnings({});
  EXPECT_THAT(page.finish(), Not(HasSubstr("<ul")));
}

TEST(Html, SaysWhichFileItCannotWrite) {
  try {
    full_page().write("none/such/page.html");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("none/such/page.html: cannot write"));
  }
}

}  // namespace
}  // namespace footfall::test
