// Text tables: a header, then one row per line.
//
// The delimiter is the first of tab, semicolon and comma that the header has, else blanks. Lines that
// start with # are comments; where the first line after them is all numbers, the last comment is the
// header (as numpy.savetxt writes it). Without one, or where that comment has another number of words than
// the line has numbers, columns are called by their places.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "input_error.hpp"
#include "io/config.hpp"
#include "io/recording_table.hpp"
#include "io/text_file.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

std::string_view trim_field(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = trim_field(text.substr(1, text.size() - 2));
  }
  return text;
}

// Fields of a line, one after the other; delimiters within quotes do not count. ' ' stands for any
// run of blanks.
class Fields {
 public:
  Fields(std::string_view line, char delimiter) : rest_(line), delimiter_(delimiter) {
    if (delimiter_ == ' ') rest_ = trim_field(rest_);
    quoted_ = std::memchr(rest_.data(), '"', rest_.size()) != nullptr;
  }
  bool next(std::string_view& field) {
    if (done_) return false;
    const std::size_t end = find_end();
    field = rest_.substr(0, end);
    done_ = end == rest_.size();
    if (!done_) rest_.remove_prefix(end + 1);
    if (delimiter_ == ' ') {
      while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    }
    return true;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  std::size_t find_end() const {
    if (!quoted_ && delimiter_ != ' ') return std::min(rest_.find(delimiter_), rest_.size());
    bool within = false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quoted_ && c == '"') within = !within;
      if (!within && (c == delimiter_ || (delimiter_ == ' ' && is_blank(c)))) return i;
    }
    return rest_.size();
  }
  std::string_view rest_;
  char delimiter_;
  bool quoted_ = false, done_ = false;
};

bool read_number(std::string_view text, double& value) {
  text = trim_field(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const std::optional<double> number = number_in(text);
  value = number.value_or(value);
  return number.has_value();
}

char find_delimiter(std::string_view header) {
  for (const char c : {'\t', ';', ','}) {
    if (header.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

class CsvTable final : public RecordingTable {
 public:
  explicit CsvTable(const std::filesystem::path& file)
      : file_(file.string()), text_(read_text_file(file)) {
    check_text();
    if (text_.find('\n') == std::string::npos) {  // as old Macintosh programs write
      std::replace(text_.begin(), text_.end(), '\r', '\n');
    }
    rest_ = text_;
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // as spreadsheets write
    read_header();
  }

  const std::vector<TableColumn>& columns() const override { return columns_; }
  const std::vector<long>& rows() const override { return rows_; }
  long unnamed_row() const override { return unnamed_row_; }

  std::vector<std::vector<double>> read(const std::vector<int>& columns) override {
    std::vector<int> place(columns_.size(), -1);  // in `values`, of each column
    for (std::size_t i = 0; i < columns.size(); ++i) {
      place[static_cast<std::size_t>(columns[i])] = static_cast<int>(i);
    }
    std::vector<std::vector<double>> values(columns.size());
    for (std::vector<double>& v : values) v.reserve(rest_.size() / (columns_.size() * 8) + 1);
    rows_.clear();
    std::string_view rest = rest_, line;
    for (long row = first_row_; next_line(rest, line); ++row) {
      if (is_data(line)) read_row(line, row, place, values);
    }
    return values;
  }

 private:
  // Bytes below a blank, other than tabs and ends of lines, stand in no text.
  void check_text() const {
    const std::string_view start = std::string_view(text_).substr(0, 4096);
    const bool wide = start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF");
    const bool binary = std::any_of(start.begin(), start.end(), [](char c) {
      return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r' && c != '\n';
    });
    if (!wide && !binary) return;
    throw input_error("{}: {}, expected text in UTF-8 (CSV), an HDF5 file or a MATLAB file: save "
                      "it as one of them",
                      file_, wide ? "is text in UTF-16" : "is not text");
  }

  static bool is_data(std::string_view line) {
    line = trimmed(line);
    return !line.empty() && line.front() != '#';
  }

  void read_header() {
    std::string_view line, comment, rest = rest_;
    long row = 1;
    for (; next_line(rest, line); ++row) {
      if (is_data(line)) break;
      if (!trim_field(line).empty()) comment = trim_field(line);
      rest_ = rest;
      line = {};
    }
    if (line.empty()) {
      throw input_error("{}: holds no table, expected a header and rows of numbers", file_);
    }
    if (all_numbers(line)) {
      delimiter_ = find_delimiter(line);
      first_row_ = row;
      const auto words = comment.find_first_not_of("# \t");
      if (words != std::string_view::npos) split_names(comment.substr(words));
      if (columns_.size() != count_fields(line)) name_by_place(count_fields(line), row);
    } else {
      delimiter_ = find_delimiter(line);
      first_row_ = row + 1;
      rest_ = rest;
      split_names(line);
    }
  }

  std::size_t count_fields(std::string_view line) const {
    std::string_view field;
    std::size_t count = 0;
    for (Fields fields(line, delimiter_); fields.next(field);) ++count;
    if (count > 1 && trim_field(field).empty()) --count;  // a delimiter at the end
    return count;
  }

  void name_by_place(std::size_t count, long row) {
    columns_.clear();
    for (std::size_t i = 1; i <= count; ++i) {
      columns_.push_back({"column " + std::to_string(i), ""});
    }
    unnamed_row_ = row;
  }

  static bool all_numbers(std::string_view line) {
    std::string_view field;
    double value = 0;
    for (Fields fields(line, find_delimiter(line)); fields.next(field);) {
      if (!read_number(field, value)) return false;
    }
    return true;
  }

  void split_names(std::string_view line) {
    std::string_view field;
    for (Fields fields(line, delimiter_); fields.next(field);) {
      const std::string_view name = trim_field(field);
      const bool unit = name.starts_with('[') || name.starts_with('(');
      if (delimiter_ == ' ' && unit && !columns_.empty()) {
        columns_.back().name += " " + std::string(name);  // "z [mm]" in a table with blanks
      } else {
        columns_.push_back({std::string(name), ""});
      }
    }
  }

  void read_row(std::string_view line, long row, const std::vector<int>& place,
                std::vector<std::vector<double>>& values) {
    std::string_view field;
    std::size_t column = 0;
    for (Fields fields(line, delimiter_); fields.next(field); ++column) {
      if (column >= place.size() || place[column] < 0) continue;
      double value = 0;
      if (!read_number(field, value) || !std::isfinite(value)) refuse_field(field, row, column);
      values[static_cast<std::size_t>(place[column])].push_back(value);
    }
    // A delimiter at the end of each row, but not of the header, is no mistake.
    const bool trailing = column == place.size() + 1 && trim_field(field).empty();
    if (column != place.size() && !trailing) {
      throw input_error("{}:{}: {} columns, expected {} as in the header", file_, row, column,
                        place.size());
    }
    rows_.push_back(row);
  }

  [[noreturn]] void refuse_field(std::string_view field, long row, std::size_t column) const {
    std::string shown(trim_field(field).substr(0, 40));
    for (char& c : shown) {
      if (static_cast<unsigned char>(c) < ' ') c = '?';
    }
    const bool comma = delimiter_ != ',' && shown.find(',') != std::string::npos;
    throw input_error("{}:{}: '{}' in column {} ('{}'), expected a finite number{}", file_, row,
                      shown, column + 1, columns_[column].name,
                      comma ? " with a decimal point" : "");
  }

  std::string file_, text_;
  std::string_view rest_;  // what stands below the header
  long first_row_ = 1;     // its line
  char delimiter_ = ',';
  long unnamed_row_ = 0;
  std::vector<TableColumn> columns_;
  std::vector<long> rows_;
};

}  // namespace

std::unique_ptr<RecordingTable> open_csv(const std::filesystem::path& file) {
  return std::make_unique<CsvTable>(file);
}

}  // namespace footfall
