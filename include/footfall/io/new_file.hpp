// Every file that a command makes goes through here. A new file is written beside its place, under a
// hidden name (".run.h5.partial"), and takes its own name when it is whole: whoever opens that name
// finds the previous file or the new one, never half of one, whatever fails and whenever the program dies.
//
//   NewFile file("press.csv");
//   write(file.partial());  // may throw: then press.csv stays what it was
//   file.keep();
//
// Files of one command appear together:
//
//   OutputsTogether together;
//   write_text_file("press.csv", ...);  // a NewFile inside, which is kept ...
//   write_text_file("press.svg", ...);
//   together.keep();                    // ... here
//
// Whatever goes wrong is an InputError with the file's name and the reason.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "footfall/error.hpp"

namespace footfall {

// An output that cannot be written: the disk is full, the folder is not there, another program writes it.
struct OutputError : InputError {
  using InputError::InputError;
};

class NewFile {
 public:
  // Locks the hidden name against other programs. Refuses folders, and files that the program has read
  // (see protect_inputs). A link is followed: the file that it leads to is replaced. What is there and is no
  // regular file, as a pipe or /dev/stdout, is written directly.
  //
  // `unfinished`: where what was written goes if it is not kept, or was left by a program that was killed.
  // Empty: it is removed.
  explicit NewFile(const std::filesystem::path& target,
                   const std::filesystem::path& unfinished = {});
  ~NewFile();  // keeps the previous file
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) noexcept;

  const std::filesystem::path& target() const;   // as given
  const std::filesystem::path& partial() const;  // where to write
  // Whether a program that was killed had left something, which now lies in `unfinished`.
  bool found_left_over() const;

  // Puts a file that was made elsewhere in the folder, and is still open, under the hidden name.
  void take(const std::filesystem::path& made);
  // Gives the file its own name, on the disk too: nothing is lost if the power fails after this. In
  // OutputsTogether it gets it when they are kept.
  void keep();
  // Removes what was written.
  void discard();
  // A file that is of no use any more once this one has its name: removed then.
  void replaces(const std::filesystem::path& other);

 private:
  friend class OutputsTogether;
  void move_into_place();

  struct State;
  std::unique_ptr<State> state_;
};

// While it lives, files that this thread makes and keeps wait for keep(); without it they are removed.
class OutputsTogether {
 public:
  OutputsTogether();
  ~OutputsTogether();
  OutputsTogether(const OutputsTogether&) = delete;
  OutputsTogether& operator=(const OutputsTogether&) = delete;

  void keep();

 private:
  friend class NewFile;
  friend std::filesystem::path written_path(const std::filesystem::path& target);
  std::vector<NewFile> files_;
  OutputsTogether* outer_;
};

// While it lives, files that this thread makes and keeps get their names at once, in OutputsTogether too: what
// must stay although the command fails.
class OutputsAtOnce {
 public:
  OutputsAtOnce();
  ~OutputsAtOnce();
  OutputsAtOnce(const OutputsAtOnce&) = delete;
  OutputsAtOnce& operator=(const OutputsAtOnce&) = delete;

 private:
  OutputsTogether* outer_;
};

// Where what was written to `target` lies: under its own name, or still under a hidden one.
std::filesystem::path written_path(const std::filesystem::path& target);

// ---- outputs onto inputs ----

// From now on no output replaces a file that was read. For programs: who uses the library may want to read a
// file, change it and write it again.
void protect_inputs();
// Notes a file as read; the library's readers do so.
void note_input(const std::filesystem::path& file);
// It is the command's own, read to go on where it was, and may be written.
void forget_input(const std::filesystem::path& file);
// Throws InputError if this file was read, under whatever name: links and spellings lead to the same file. For
// commands that work long before they write.
void check_output(const std::filesystem::path& file);

}  // namespace footfall
