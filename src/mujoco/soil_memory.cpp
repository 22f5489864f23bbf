#include "mujoco/soil_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace footfall {
namespace {

constexpr int kHeadNumbers = 8;   // of a print, before its points
constexpr int kPointNumbers = 7;  // of each point

// visit(number) for all numbers of the contact memory, in one order. Memory: const or not.
template <class Memory, class Visit>
void visit_numbers(Memory& m, const Visit& visit) {
  const auto numbers = [&](auto& values) {
    for (auto& value : values) visit(value);
  };
  const auto vectors = [&](auto& values) {
    for (auto& v : values) visit(v.x), visit(v.y), visit(v.z);
  };
  vectors(m.shear_displacement);
  numbers(m.spin_displacement);
  numbers(m.normal_force);
  numbers(m.sinkage);
  numbers(m.jump);
  numbers(m.energy);
  numbers(m.soil);
  numbers(m.pad_compression);
  vectors(m.resistance);
  vectors(m.motion);
  numbers(m.wrench_vertices);
  auto& p = m.plastic;
  for (auto* values : {&p.is_pressed, &p.plastic_sinkage, &p.sinkage_max, &p.bearing, &p.rim_height,
                       &p.strength, &p.unload_stiffness, &p.offset, &p.corner_x, &p.corner_y,
                       &p.gap, &p.print_x, &p.print_y, &p.shear_x, &p.shear_y}) {
    numbers(*values);
  }
}

int count_numbers(const ContactMemory<double>& memory) {
  int count = static_cast<int>(memory.plastic.stage.size());
  visit_numbers(memory, [&](const auto&) { ++count; });
  return count;
}

// The most points that a print of this world can have.
int most_points(const Soles& soles) {
  int most = 1;
  for (const SoleGroup& group : soles.groups) {
    int count = 0;
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      count += soles.points[i].is_cell ? 4 : 1;
    }
    most = std::max(most, count);
  }
  return std::min(most, Footprint::kMaxPoints);
}

void write_point(const PrintPoint& p, mjtNum* to) {
  const double values[] = {
      p.x, p.y, p.sinkage, p.sinkage_max, p.shear_x, p.shear_y, p.is_corner ? 1.0 : 0.0};
  std::copy(std::begin(values), std::end(values), to);
}

// A fingerprint of the prints so far and one more, exact in a double.
double chain(double before, const mjtNum* record, int size) {
  std::uint64_t hash = static_cast<std::uint64_t>(before) ^ 0x9e3779b97f4a7c15ULL;
  for (int i = 0; i < size; ++i) {
    hash ^= std::bit_cast<std::uint64_t>(record[i]);
    hash *= 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return static_cast<double>((hash >> 12) | 1);  // 0 is no print at all
}

}  // namespace

SoilMemory::SoilMemory(const World& world, int capacity)
    : fresh_(make_state<double>(world, world.robot.qpos0).memory), capacity_(capacity) {
  // A pose that starts in the ground has done no work to get there: elastic ground must not throw it out.
  std::fill(fresh_.sinkage.begin(), fresh_.sinkage.end(), 0.0);
  std::fill(fresh_.energy.begin(), fresh_.energy.end(), 0.0);
  contact_count_ = count_numbers(fresh_);
  number_count_ = contact_count_ + 2;  // count of prints, fingerprint
  prints_ = !fresh_.ruts.empty();
  if (!prints_) return;
  options_ = fresh_.ruts[0].options();
  record_size_ = kHeadNumbers + kPointNumbers * most_points(world.soles);
  number_count_ += capacity_ * record_size_;
}

void SoilMemory::write_fresh(mjtNum* numbers) const {
  std::fill_n(numbers, number_count_, 0.0);
  visit_numbers(fresh_, [&](const auto& value) { *numbers++ = value; });
}

void SoilMemory::read(const mjtNum* numbers, ContactMemory<double>& memory) {
  if (last_.empty() || std::memcmp(last_.data(), numbers, last_.size() * sizeof(mjtNum)) != 0) {
    const mjtNum* from = numbers;
    visit_numbers(memory, [&](auto& value) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(*from++);
    });
    for (PrintStage& stage : memory.plastic.stage) {
      stage = static_cast<PrintStage>(static_cast<char>(*from++));
    }
    last_.assign(numbers, from);
  }
  if (!prints_) return;
  if (numbers[contact_count_ + 1] == fingerprint_) return;
  memory.ruts.assign(1, press_all(numbers));
  fingerprint_ = numbers[contact_count_ + 1];
}

void SoilMemory::write(ContactMemory<double>& memory, const std::vector<Footprint>& prints,
                       mjtNum* numbers) {
  mjtNum* to = numbers;
  visit_numbers(memory, [&](const auto& value) { *to++ = value; });
  for (const PrintStage stage : memory.plastic.stage) *to++ = static_cast<double>(stage);
  last_.assign(numbers, to);
  if (prints.empty()) return;
  bool forgot = false;
  for (const Footprint& print : prints) forgot = append_print(print, numbers) || forgot;
  if (forgot) memory.ruts.assign(1, press_all(numbers));
  fingerprint_ = numbers[contact_count_ + 1];
}

RutGrid SoilMemory::press_all(const mjtNum* numbers) const {
  RutGrid ruts(options_);
  visit_prints(numbers, [&](const Footprint& print) { ruts.stamp(print); });
  return ruts;
}

Footprint SoilMemory::read_print(const mjtNum* record) const {
  Footprint print;
  print.shape = static_cast<PrintShape>(static_cast<int>(record[0]));
  print.x = record[1], print.y = record[2];
  print.axis_x = record[3], print.axis_y = record[4];
  print.half_length = record[5], print.radius = record[6];
  print.point_count = static_cast<int>(record[7]);
  for (int i = 0; i < print.point_count; ++i) {
    const mjtNum* p = record + kHeadNumbers + kPointNumbers * i;
    print.points[i] = {p[0], p[1], p[2], p[3], p[4], p[5], p[6] != 0};
  }
  return print;
}

bool SoilMemory::append_print(const Footprint& print, mjtNum* numbers) const {
  mjtNum& count = numbers[contact_count_];
  mjtNum& fingerprint = numbers[contact_count_ + 1];
  mjtNum* records = numbers + contact_count_ + 2;
  const bool full = count >= capacity_;
  if (full) {
    const int kept = capacity_ / 2, dropped = static_cast<int>(count) - kept;
    std::copy(records + dropped * record_size_, records + capacity_ * record_size_, records);
    std::fill(records + kept * record_size_, records + capacity_ * record_size_, 0.0);
    count = kept;
    fingerprint = 0;
    for (int i = 0; i < kept; ++i)
      fingerprint = chain(fingerprint, records + i * record_size_, record_size_);
  }
  mjtNum* to = records + static_cast<int>(count) * record_size_;
  const double head[] = {static_cast<double>(print.shape),
                         print.x,
                         print.y,
                         print.axis_x,
                         print.axis_y,
                         print.half_length,
                         print.radius,
                         static_cast<double>(print.point_count)};
  std::copy(std::begin(head), std::end(head), to);
  for (int i = 0; i < print.point_count; ++i) {
    write_point(print.points[i], to + kHeadNumbers + kPointNumbers * i);
  }
  count += 1;
  fingerprint = chain(fingerprint, to, record_size_);
  return full;
}

}  // namespace footfall
