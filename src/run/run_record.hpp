// The run file on its way: under a hidden name until the run has come to its end, so that the file of an
// earlier run stays until this one is whole.
#pragma once

#include <filesystem>
#include <optional>

#include "footfall/io/new_file.hpp"
#include "footfall/record/run_file.hpp"
#include "footfall/run/run.hpp"

namespace footfall {

std::filesystem::path output_folder(const Scenario& scenario, const RunOptions& options);

class RunRecord {
 public:
  // `resumed`: rows that are taken over from the earlier part of the run.
  RunRecord(const Scenario& scenario, const World& world, const RunOptions& options,
            std::optional<std::int64_t> resumed);
  ~RunRecord();  // of a run that failed: what was recorded of it is set aside
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;

  explicit operator bool() const { return writer_.has_value(); }
  bool found_left_over() const { return new_file_ && new_file_->found_left_over(); }
  std::int64_t row_count() const { return row_count_; }
  const std::filesystem::path& unfinished() const { return unfinished_; }

  void append(const RunRow& row);
  // Waits until the disk has all rows.
  void sync();
  // Closes the file and gives it its name. That of an interrupted run is another: it replaces no whole one.
  const std::filesystem::path& result_file(bool complete) const {
    return complete ? file_ : unfinished_;
  }
  void finish(const RunEnd& end);
  // Removed when the run file has its name, with what was left of earlier parts of the run.
  void ends_need_of(const std::filesystem::path& checkpoint);

 private:
  template <class Write>
  void guard(const Write& write) const;
  void take();
  void remove_all();

  std::filesystem::path file_, unfinished_, starting_;
  bool taken_ =
      false;  // the file has rows, and is where the next run looks for what is left of this one
  std::optional<NewFile> new_file_;
  std::optional<RunWriter> writer_;
  std::int64_t row_count_ = 0;
};

}  // namespace footfall
