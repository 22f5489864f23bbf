#include "run/run_record.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>

#include "input_error.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

constexpr const char* kRunFile = "run.h5";
constexpr const char* kUnfinishedFile = "run.unfinished.h5";
constexpr const char* kStartingFile = ".run.h5.starting";  // until its first rows are written

}  // namespace

std::filesystem::path output_folder(const Scenario& scenario, const RunOptions& options) {
  return options.output.empty() ? scenario.output : options.output;
}

// Adds to an error where the rows lie that are left.
template <class Write>
void RunRecord::guard(const Write& write) const {
  try {
    write();
  } catch (const InputError& error) {
    if (writer_->flushed_rows() == 0) throw;
    throw OutputError(
        fmt::format("{}\n  what was recorded: {}", error.what(), unfinished_.string()));
  }
}

RunRecord::RunRecord(const Scenario& scenario, const World& world, const RunOptions& options,
                     std::optional<std::int64_t> resumed) {
  if (!options.record) return;
  const std::filesystem::path folder = output_folder(scenario, options);
  make_folder(folder, "output folder");
  file_ = folder / kRunFile;
  unfinished_ = folder / kUnfinishedFile;
  refuse_other_file(file_);
  new_file_.emplace(file_, unfinished_);
  starting_ = new_file_->partial().parent_path() / kStartingFile;
  std::error_code ignored;
  std::filesystem::remove(starting_, ignored);
  const std::int64_t rows = step_count(scenario) / scenario.record_every + 1;
  try {
    writer_.emplace(
        starting_, world,
        RunHeader{scenario.text, scenario.file.string(), options.command, mj_versionString()},
        static_cast<int>(std::min<std::int64_t>(rows, 1 << 30)), file_.string());
    if (resumed.value_or(0) > 0) {
      // of a run that ended, and was stopped before its checkpoint was removed, they are in its result
      writer_->copy_rows(std::filesystem::exists(unfinished_) ? unfinished_ : file_, *resumed);
      row_count_ = *resumed;
      take();
    }
  } catch (...) {
    writer_.reset();
    remove_all();
    throw;
  }
}

RunRecord::~RunRecord() {
  if (!writer_) return;
  try {
    writer_->flush();
    if (writer_->flushed_rows() > 0) take();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
  }
  if (!taken_) remove_all();
}

void RunRecord::append(const RunRow& row) {
  guard([&] { writer_->append(row); });
  ++row_count_;
  if (!taken_ && writer_->flushed_rows() > 0) take();
}

void RunRecord::sync() {
  guard([&] { writer_->sync(); });
  if (!taken_ && row_count_ > 0) take();
}

void RunRecord::finish(const RunEnd& end) {
  guard([&] { writer_->close(end); });
  take();
  writer_.reset();
  if (end.complete) new_file_->keep();
  new_file_.reset();  // sets it aside, unless it is kept
}

void RunRecord::ends_need_of(const std::filesystem::path& checkpoint) {
  new_file_->replaces(checkpoint);
  new_file_->replaces(unfinished_);
}

// From here on a run that is killed leaves something to read.
void RunRecord::take() {
  if (!taken_) new_file_->take(starting_);
  taken_ = true;
}

void RunRecord::remove_all() {
  std::error_code ignored;
  std::filesystem::remove(starting_, ignored);
  new_file_->discard();
  new_file_.reset();
}

}  // namespace footfall
