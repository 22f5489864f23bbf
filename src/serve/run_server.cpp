#include "serve/run_server.hpp"

#include <fmt/format.h>

#include "footfall/error.hpp"
#include "report/svg.hpp"

namespace footfall::serve {
namespace {

constexpr const char* kListHead =
    R"(<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>Runs</title><style>
:root{--paper:#fff;--ink:#1b1f24;--line:#ddd;--link:#0a58a6}
@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e8eb;--line:#333;--link:#7fbcff}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
background:var(--paper);color:var(--ink)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
td:nth-child(n+2),th:nth-child(n+2){text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums}
a{color:var(--link)}td{overflow-wrap:anywhere}
</style></head><body>)";

std::string age_text(std::filesystem::file_time_type changed) {
  const auto age = std::filesystem::file_time_type::clock::now() - changed;
  const double minutes = std::chrono::duration<double>(age).count() / 60;
  if (minutes < 1) return "just now";
  if (minutes < 120) return fmt::format("{:.0f} min ago", minutes);
  if (minutes < 48 * 60) return fmt::format("{:.0f} h ago", minutes / 60);
  return fmt::format("{:.0f} days ago", minutes / 60 / 24);
}

}  // namespace

std::shared_ptr<const ServedPage> PageCache::get(const std::filesystem::path& file,
                                                 const std::string& data_url) {
  std::error_code ignored;  // making the page says what is wrong with the file
  const auto changed = std::filesystem::last_write_time(file, ignored);
  const auto bytes = std::filesystem::file_size(file, ignored);
  std::promise<Page> promise;
  std::shared_future<Page> page;
  {
    const std::scoped_lock lock(mutex_);
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& entry) { return entry.file == file; });
    if (same != entries_.end() && same->changed == changed && same->bytes == bytes) {
      page = same->page;
      entries_.splice(entries_.begin(), entries_, same);
    } else {
      if (same != entries_.end()) entries_.erase(same);
      entries_.push_front({file, changed, bytes, promise.get_future().share()});
      if (entries_.size() > kMostPages) entries_.pop_back();
    }
  }
  if (page.valid()) return page.get();
  try {
    auto made = std::make_shared<const ServedPage>(make_(file, data_url));
    promise.set_value(made);
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::scoped_lock lock(mutex_);  // the next one may have more luck
    std::erase_if(entries_, [&](const Entry& entry) { return entry.file == file; });
    throw;
  }
}

HttpReply RunServer::show_list() const {
  HttpReply reply;
  reply.type = "text/html; charset=utf-8";
  reply.body = kListHead;
  const std::vector<RunEntry> entries = folder_.list();
  reply.body +=
      fmt::format("<h1>{} run{}</h1><p>in {}</p>", entries.size(), entries.size() == 1 ? "" : "s",
                  picture::escape(folder_.root().string()));
  if (entries.size() >= RunFolder::kMostEntries) {
    reply.body += "<p>There are more: open one of its folders instead.</p>";
  }
  reply.body += "<table><thead><tr><th>run</th><th>changed</th><th>size</th></tr></thead><tbody>";
  for (const RunEntry& entry : entries) {
    reply.body +=
        fmt::format("<tr><td><a href=\"{}/run/{}\">{}</a></td><td>{}</td><td>{:.1f} MB</td></tr>",
                    root_, encode_path(entry.name), picture::escape(entry.name),
                    age_text(entry.changed), 1e-6 * static_cast<double>(entry.bytes));
  }
  reply.body += "</tbody></table></body></html>\n";
  return reply;
}

std::shared_ptr<const ServedPage> RunServer::page_of(const std::string& name,
                                                     const std::filesystem::path& file) {
  return cache_.get(file, root_ + "/data/" + encode_path(name));
}

void RunServer::prepare() {
  if (folder_.is_single()) page_of(folder_.single(), folder_.root() / folder_.single());
}

HttpReply RunServer::show(const std::string& name, bool data) {
  const std::optional<std::filesystem::path> file = folder_.find(name);
  if (!file) return reply_error(404, "there is no such run file here");
  std::shared_ptr<const ServedPage> page;
  try {
    page = page_of(name, *file);
  } catch (const InputError& error) {
    return reply_error(422, error.what());
  }
  HttpReply reply;
  reply.type = data ? "application/octet-stream" : "text/html; charset=utf-8";
  reply.bytes = data ? page->data : page->html;
  reply.owner = page;
  return reply;
}

HttpReply RunServer::answer(const HttpRequest& request) {
  if (request.method != "GET") return reply_error(405, "expected GET");
  if (request.path == "/") {
    return folder_.is_single() ? show(folder_.single(), false) : show_list();
  }
  if (request.path.starts_with("/run/")) return show(request.path.substr(5), false);
  if (request.path.starts_with("/data/")) return show(request.path.substr(6), true);
  return reply_error(404, "there is nothing here");
}

}  // namespace footfall::serve
