#include "footfall/rig/series.hpp"

#include <fmt/format.h>

#include <iterator>

#include "io/text_file.hpp"

namespace footfall {

void write_series(const std::vector<RigSample>& series, const std::filesystem::path& file) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "time_s,body_sinkage_m,body_rate_m_per_s,sinkage_m,sinkage_rate_m_per_s,"
                      "normal_force_N,pad_compression_m,pad_force_N,shear_displacement_x_m,"
                      "shear_displacement_y_m,tangential_force_x_N,tangential_force_y_N,"
                      "shear_strength_N,mobilized_shear,contact_area_m2\n");
  for (const RigSample& s : series) {
    fmt::format_to(out, "{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g}", s.time,
                   s.body_sinkage, s.body_rate, s.sinkage, s.sinkage_rate, s.normal_force,
                   s.pad_compression, s.pad_force);
    fmt::format_to(out, ",{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g}\n",
                   s.shear_displacement.x, s.shear_displacement.y, s.tangential_force.x,
                   s.tangential_force.y, s.shear_strength, s.mobilized_shear, s.contact_area);
  }
  write_text_file(file, {text.data(), text.size()});
}

}  // namespace footfall
