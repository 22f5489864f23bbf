#include "viewer/fill.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "footfall/report/html.hpp"
#include "input_error.hpp"
#include "io/text_file.hpp"
#include "viewer/array_store.hpp"

namespace footfall {
namespace {

constexpr int kDeflateLevel = 5;  // smaller by a hundredth at 9, in four times the time

// Places of the viewer that are filled, each of which it has once.
constexpr std::string_view kPagePlace = "<!--footfall-page-->", kDataPlace = "<!--footfall-data-->";

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), kDeflateLevel);
  if (result != Z_OK) throw InputError("a page's data do not fit into memory");
  out.resize(size);
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const unsigned byte = i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
      word = word << 8U | byte;
    }
    for (unsigned k = 0; k < 4; ++k) {
      const bool is_byte = i + k <= bytes.size();
      out += is_byte ? letters[word >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return out;
}

// No text of a page may end the element that it stands in.
std::string without_tags(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::size_t find_once(std::string_view html, std::string_view place) {
  const std::size_t at = html.find(place);
  if (at == std::string_view::npos || html.find(place, at + 1) != std::string_view::npos) {
    throw input_error("the viewer does not have one {}: build web/ again", place);
  }
  return at;
}

}  // namespace

namespace viewer {

std::string embed_bytes(const std::string& bytes) { return base64(deflated(bytes)); }

std::string fill_places(std::string_view html, const std::string& json, const std::string& data) {
  const std::size_t page = find_once(html, kPagePlace), rest = find_once(html, kDataPlace);
  if (rest < page) throw InputError("the viewer has its data before its page: build web/ again");
  std::string out(html.substr(0, page));
  out += without_tags(json);
  out += html.substr(page + kPagePlace.size(), rest - page - kPagePlace.size());
  out += data;
  out += html.substr(rest + kDataPlace.size());
  return out;
}

std::string plain_page(const PageContent& content) {
  const Json json = Json::parse(content.json);
  HtmlPage page(json.at("title").get<std::string>());
  page.preformatted(json.at("command").get<std::string>());
  page.warnings(json.at("warnings").get<std::vector<std::string>>());
  for (const Json& table : json.at("tables")) {
    page.heading(table.at("title").get<std::string>());
    page.table({table.at("header").get<std::vector<std::string>>(),
                table.at("rows").get<std::vector<std::vector<std::string>>>()});
  }
  for (const Json& text : json.at("texts")) {
    page.heading(text.at("title").get<std::string>());
    page.preformatted(text.at("text").get<std::string>());
  }
  page.paragraph(fmt::format("A plain page: {}.", viewer_note()));
  return page.finish();
}

}  // namespace viewer

std::string fill_page(const PageContent& content, PageMode mode) {
  const std::string_view html = viewer_html();
  if (html.empty()) throw InputError(std::string(viewer_note()));
  return viewer::fill_places(html, content.json,
                             mode == PageMode::embedded ? viewer::embed_bytes(content.bytes)
                                                        : std::string());
}

void write_page(const std::filesystem::path& file, const PageContent& content) {
  write_text_file(file, viewer_html().empty() ? viewer::plain_page(content) : fill_page(content));
}

}  // namespace footfall
