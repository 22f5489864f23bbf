#include "footfall/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text_file.hpp"
#include "io/words.hpp"
#include "report/svg.hpp"

namespace footfall {
namespace {

using picture::escape;

// Plots are drawn on white. In the dark they are turned round: black for white, hues as they were.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #22303c; --soft: #5b6873; --paper: #ffffff; --rule: #d9dee2;
  --warm: #fff4e0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dde3e8; --soft: #9aa5ae; --paper: #14191e; --rule: #38424b; --warm: #3a2e16; }
  svg { filter: invert(0.92) hue-rotate(180deg); }
}
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.9rem 0.25rem 0; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 600; }
td.shade { padding: 0.25rem 0.9rem; border: 1px solid var(--paper); }
ul.warnings { background: var(--warm); padding: 0.8rem 1rem 0.8rem 2.2rem; border-radius: 6px; }
pre { background: color-mix(in srgb, var(--rule) 35%, var(--paper)); padding: 0.8rem 1rem;
  border-radius: 6px; overflow-x: auto; font-size: 13px; }
svg { max-width: 100%; height: auto; }
)";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Several pictures in one page: the names in each get its number. The address of SVG's name space is
// for files on their own.
std::string inline_svg(std::string svg, int number) {
  const std::size_t start = svg.find("<svg");
  svg.erase(0, start == std::string::npos ? 0 : start);
  replace_all(svg, " xmlns=\"http://www.w3.org/2000/svg\"", "");
  replace_all(svg, " id=\"", fmt::format(" id=\"p{}-", number));
  replace_all(svg, "url(#", fmt::format("url(#p{}-", number));
  return svg;
}

// A cell's background, blue below and orange above 0: two hues that most people can tell apart. Mixed
// with the paper's colour, so that it is right in the light and in the dark.
std::string shade_style(double value) {
  if (!std::isfinite(value)) return "";
  const double share = 55 * std::fmin(std::fabs(value), 1);
  return fmt::format(
      " class=\"shade\" style=\"background: color-mix(in srgb, {} {:.0f}%, var(--paper))\"",
      value < 0 ? "#0072b2" : "#d55e00", share);
}

}  // namespace

HtmlPage::HtmlPage(const std::string& title) : title_(escape(title)) {}

void HtmlPage::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", escape(text));
}

void HtmlPage::subheading(const std::string& text) {
  body_ += fmt::format("<h3>{}</h3>\n", escape(text));
}

void HtmlPage::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", escape(text));
}

void HtmlPage::warnings(const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  body_ += "<ul class=\"warnings\">\n";
  for (const std::string& text : texts) body_ += fmt::format("<li>{}</li>\n", escape(text));
  body_ += "</ul>\n";
}

void HtmlPage::table(const HtmlTable& table) {
  body_ += "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const std::string& cell : table.header) body_ += fmt::format("<th>{}</th>", escape(cell));
  body_ += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    body_ += "<tr>";
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const bool shaded = c > 0 && r < table.shades.size() && c <= table.shades[r].size();
      body_ += fmt::format("<td{}>{}</td>", shaded ? shade_style(table.shades[r][c - 1]) : "",
                           escape(table.rows[r][c]));
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlPage::plot(const Plot& plot) {
  body_ += fmt::format("<p>{}</p>\n", inline_svg(draw_plot(plot), ++plots_));
}

void HtmlPage::preformatted(const std::string& text) {
  body_ += "<pre>";
  // line by line, as escape drops control characters
  std::string_view rest = text, line;
  while (next_line(rest, line)) body_ += escape(line) + "\n";
  body_ += "</pre>\n";
}

std::string HtmlPage::finish() const {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}"
                     "</body>\n</html>\n",
                     title_, kStyle, body_);
}

void HtmlPage::write(const std::filesystem::path& file) const { write_text_file(file, finish()); }

}  // namespace footfall
