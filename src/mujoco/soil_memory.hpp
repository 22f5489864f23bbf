// What the ground remembers, as numbers of plugin_state.
//
//   contact memory      of every sole point: shear, sinkage, footprint below it
//   prints              those that feet have left, the latest `capacity` of them: the ruts are made of them
//
// Ruts are a function of the prints alone: pressed one by one, in order, into untouched ground. So a copied or
// restored state has the ruts of its own past, and two copies take the same step bit by bit. When there is no room
// for a print the older half of them is forgotten, and what they pressed rises again.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "footfall/ground/world.hpp"

namespace footfall {

class SoilMemory {
 public:
  SoilMemory(const World& world, int capacity);

  int number_count() const { return number_count_; }
  // The state of untouched ground.
  void write_fresh(mjtNum* numbers) const;
  // From plugin_state, and back; `prints`: what was pressed since it was read. The same `memory` every time, changed by
  // nobody else between a read() and the next: it stays as it is where the state is the one last read or written.
  void read(const mjtNum* numbers, ContactMemory<double>& memory);
  void write(ContactMemory<double>& memory, const std::vector<Footprint>& prints, mjtNum* numbers);

  // The prints in a state: visit(print).
  template <class Visit>
  void visit_prints(const mjtNum* numbers, const Visit& visit) const {
    for (int i = 0; i < print_count(numbers); ++i) visit(read_print(record(numbers, i)));
  }

 private:
  int print_count(const mjtNum* numbers) const { return static_cast<int>(numbers[contact_count_]); }
  const mjtNum* record(const mjtNum* numbers, int i) const {
    return numbers + contact_count_ + 2 + static_cast<std::ptrdiff_t>(i) * record_size_;
  }
  Footprint read_print(const mjtNum* record) const;
  // Returns whether older ones had to be forgotten.
  bool append_print(const Footprint& print, mjtNum* numbers) const;
  RutGrid press_all(const mjtNum* numbers) const;

  ContactMemory<double> fresh_;
  RutOptions options_;
  bool prints_ = false;
  int capacity_ = 0, record_size_ = 0, contact_count_ = 0, number_count_ = 0;
  std::vector<mjtNum> last_;  // the contact memory last read or written
  double fingerprint_ = -1;   // of the prints that the memory's ruts were made of; −1: none were
};

}  // namespace footfall
