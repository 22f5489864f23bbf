#include "footfall/campaign/bed_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>

#include "campaign/disk_full.hpp"
#include "footfall/campaign/campaign.hpp"
#include "footfall/campaign/ledger.hpp"

namespace footfall {
namespace {

using Json = nlohmann::json;

constexpr int kBedFormat = 1;

struct BedFiles {
  std::filesystem::path bed, note, lock;
  std::string work;  // how the engine's folders begin
};

// FNV-1a: enough to notice damage, and what a bed depends on is compared word by word besides.
struct Fnv {
  std::uint64_t value = 0xcbf29ce484222325u;
  void add(const char* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      value = (value ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
    }
  }
  std::string text() const { return fmt::format("{:016x}", value); }
};

std::string bed_text(const GrainEngine& engine, const BedOptions& options) {
  std::string text;
  for (const auto& [key, value] : bed_physics(options, engine.identity())) {
    text += fmt::format("{} = {}\n", key, value);
  }
  return text + fmt::format("bed.seed = {}\n", options.seed);
}

BedFiles bed_files(const std::filesystem::path& folder, const std::string& depends_on) {
  Fnv hash;
  hash.add(depends_on.data(), depends_on.size());
  const std::filesystem::path stem = folder / ("bed-" + hash.text());
  return {stem.string() + ".bed", stem.string() + ".json", stem.string() + ".lock",
          stem.string() + ".work"};
}

// Empty where there is no such file.
std::string checksum_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return "";
  Fnv sum;
  std::vector<char> block(1 << 20);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    sum.add(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  return in.bad() ? "" : sum.text();
}

std::optional<Bed> read_bed_note(const BedFiles& files, const std::string& depends_on,
                                 const BedOptions& options) {
  std::ifstream in(files.note);
  const Json note = Json::parse(in, nullptr, false);
  if (note.is_discarded() || !note.is_object()) return std::nullopt;
  try {
    if (note.at("format") != kBedFormat || note.at("depends_on") != depends_on) return std::nullopt;
    if (note.at("checksum") != checksum_of(files.bed)) return std::nullopt;
    return Bed{files.bed,
               options,
               note.at("timestep_s").get<double>(),
               note.at("grain_count").get<std::int64_t>(),
               note.at("surface_height_m").get<double>(),
               note.at("packing").get<double>()};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

[[noreturn]] void fail_write(const std::filesystem::path& file, int error) {
  throw LedgerError(fmt::format("'{}' cannot be written: {}", file.string(),
                                std::generic_category().message(error)));
}

void flush_to_disk(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_write(file, errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0) fail_write(file, error);
}

void write_bed_note(const BedFiles& files, const std::string& depends_on, const Bed& bed) {
  const Json note{{"format", kBedFormat},
                  {"depends_on", depends_on},
                  {"checksum", checksum_of(files.bed)},
                  {"timestep_s", bed.timestep},
                  {"grain_count", bed.grain_count},
                  {"surface_height_m", bed.surface_height},
                  {"packing", bed.packing}};
  flush_to_disk(files.bed);
  const std::filesystem::path part = files.note.string() + ".part";
  {
    std::ofstream out(part);
    out << note.dump(2) << '\n';
    out.flush();
    if (!out) fail_write(part, errno);
  }
  flush_to_disk(part);
  std::error_code error;
  std::filesystem::rename(part, files.note, error);
  if (error) fail_write(files.note, error.value());
}

// Of this object, for as long as it lives. Waits for others.
class FileLock {
 public:
  FileLock(const std::filesystem::path& file, const std::function<bool()>& stop) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_write(file, errno);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    while (::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) {
      const int error = errno;
      const bool stopped = stop && stop();
      if (stopped || (error != EAGAIN && error != EACCES && error != EINTR)) {
        ::close(descriptor_);
        if (stopped) throw EngineStopped();
        fail_write(file, error);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  ~FileLock() { ::close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Folders of processes that were killed. Ours gets a name of its own: their engines may still be ending.
void remove_left_over(const std::filesystem::path& folder, const std::string& work) {
  std::error_code error;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().string().starts_with(work)) old.push_back(entry.path());
  }
  for (const std::filesystem::path& path : old) std::filesystem::remove_all(path, error);
}

Bed settle_bed(const GrainEngine& engine, const BedOptions& options,
               const std::filesystem::path& file, const EngineRun& run) {
  try {
    Bed bed = engine.prepare_bed(options, file, run);
    bed.file = file;
    return bed;
  } catch (const EngineStopped&) {
    std::error_code ignored;
    std::filesystem::remove_all(run.folder, ignored);
    throw;
  } catch (const EngineError& error) {
    refuse_full_disk(run.folder, error.what());
    throw;
  }
}

}  // namespace

bool has_bed(const GrainEngine& engine, const BedOptions& options,
             const std::filesystem::path& folder) {
  const std::string depends_on = bed_text(engine, options);
  return read_bed_note(bed_files(folder, depends_on), depends_on, options).has_value();
}

Bed find_or_prepare_bed(const GrainEngine& engine, const BedOptions& options,
                        const std::filesystem::path& folder, const EngineRun& run) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_write(folder, error.value());
  const std::string depends_on = bed_text(engine, options);
  const BedFiles files = bed_files(folder, depends_on);
  const FileLock lock(files.lock, run.stop);
  if (const auto bed = read_bed_note(files, depends_on, options)) return *bed;
  std::filesystem::remove(files.note, error);
  remove_left_over(folder, files.work);
  EngineRun inside = run;
  inside.folder = fmt::format("{}-{}", files.work, ::getpid());
  const Bed bed = settle_bed(engine, options, files.bed, inside);
  write_bed_note(files, depends_on, bed);
  return bed;
}

}  // namespace footfall
