// The pages of run files, as `footfall view` serves them.
//
//   /                 the only run, or the list of a folder's runs
//   /run/<name>       a run's page
//   /data/<name>      the bytes of its arrays, also in parts
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/http.hpp"
#include "serve/run_folder.hpp"

namespace footfall::serve {

struct ServedPage {
  std::string html;
  std::string data;
};

// Makes the page of a run file whose arrays will be found at `data_url`. Throws InputError.
using PageMaker =
    std::function<ServedPage(const std::filesystem::path& file, const std::string& data_url)>;

// Pages that were asked for, so that they are made once. Thread-safe; two that ask at the same time
// wait for the same page.
class PageCache {
 public:
  explicit PageCache(PageMaker make) : make_(std::move(make)) {}
  std::shared_ptr<const ServedPage> get(const std::filesystem::path& file,
                                        const std::string& data_url);

  static constexpr std::size_t kMostPages = 4;  // kept: a long run takes a lot of memory

 private:
  using Page = std::shared_ptr<const ServedPage>;
  struct Entry {
    std::filesystem::path file;
    std::filesystem::file_time_type changed;
    std::uintmax_t bytes = 0;
    std::shared_future<Page> page;
  };
  PageMaker make_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the one asked for last is first
};

class RunServer {
 public:
  // `root`: the server's. Throws InputError where the path is no run file and no folder.
  RunServer(const std::filesystem::path& path, PageMaker make, std::string root = {})
      : folder_(path), cache_(std::move(make)), root_(std::move(root)) {}

  // Makes the page of a single file now. Throws InputError where it is no run file.
  void prepare();
  HttpReply answer(const HttpRequest& request);

 private:
  std::shared_ptr<const ServedPage> page_of(const std::string& name,
                                            const std::filesystem::path& file);
  HttpReply show_list() const;
  HttpReply show(const std::string& name, bool data);

  RunFolder folder_;
  PageCache cache_;
  std::string root_;
};

}  // namespace footfall::serve
