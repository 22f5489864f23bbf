#include "serve/live_page.hpp"

#include <fmt/format.h>

#include "footfall/math/quaternion.hpp"
#include "record/run_layout.hpp"
#include "viewer/run_tables.hpp"

namespace footfall::serve {
namespace {

// A run file of one row, the start.
RunContents write_start(const std::filesystem::path& file, const RunSetup& setup,
                        const RunHeader& header) {
  RunWriter writer(file, setup.world, header, 1);
  writer.append({setup.state,
                 setup.controller.start,
                 std::vector<FootPatch>(setup.world.soles.feet.size()),
                 make_body_contacts(setup.world),
                 {},
                 {},
                 {},
                 {}});
  writer.close();
  return read_run(file);
}

// Columns of the run in the order in which RunWriter::append fills them.
std::vector<std::size_t> written_order(const RunContents& run, const World& world) {
  std::vector<std::size_t> order;
  for (const record::ColumnLayout& layout : record::run_columns(world)) {
    const std::string name = layout.group.empty() ? layout.name : layout.group + "/" + layout.name;
    order.push_back(static_cast<std::size_t>(&run.column(name) - run.columns.data()));
  }
  return order;
}

// Puts numbers into the columns of a row, one column after the other.
class RowFiller {
 public:
  RowFiller(RunContents& row, const std::vector<std::size_t>& order) : row_(row), order_(order) {}
  void put(double value) { next() = {value}; }
  void put(const Vec3d& v) { next() = {v.x, v.y, v.z}; }
  void put(const std::vector<double>& values) {
    if (!values.empty()) next() = values;  // empty ones have no column
  }

 private:
  std::vector<double>& next() { return row_.columns[order_.at(at_++)].values; }

  RunContents& row_;
  const std::vector<std::size_t>& order_;
  std::size_t at_ = 0;
};

using Numbers = std::vector<double>;

void push_numbers(const Vec3d& v, Numbers& out) { out.insert(out.end(), {v.x, v.y, v.z}); }

std::string number_list(const Numbers& numbers, const char* format) {
  fmt::memory_buffer out;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out.push_back(',');
    fmt::format_to(std::back_inserter(out), fmt::runtime(format), numbers[i]);
  }
  return fmt::to_string(out);
}

}  // namespace

LivePage::LivePage(const RunSetup& setup, const RunHeader& header)
    : row_(write_start(folder_.path() / "start.h5", setup, header)),
      in_order_(written_order(row_, setup.world)), scene_(viewer::read_scene(row_)),
      channels_(viewer::list_channels(row_, scene_)) {
  const viewer::BodyPoses poses = viewer::compute_poses(scene_.robot, setup.state.qpos.data());
  for (const RunFoot& foot : scene_.feet) centers_.push_back(poses.p_WB[foot.body]);
  if (!setup.state.memory.ruts.empty()) rut_cell_ = soil_ground(setup.world.ground)->ruts.cell;
}

PageContent LivePage::make(double duration, const std::string& data_url,
                           const std::string& live_url) const {
  PageOptions options;
  options.mode = PageMode::live;
  options.data_url = data_url;
  options.live_url = live_url;
  options.subtitle = viewer::run_subtitle(row_, scene_, duration);
  PageContent content = make_run_page(row_, options);
  viewer::Json page = viewer::Json::parse(content.json);
  viewer::Json& run = page["runs"][0];
  const viewer::Json none = {{"offset", 0}, {"length", 0}, {"type", "i32"}};
  run["duration"] = duration;
  for (viewer::Json& channel : run["channels"]) channel["time"] = channel["values"] = none;
  run.erase("wrench_spaces");  // the report will have them
  if (rut_cell_ > 0) {
    // No print yet, but the page must know how wide the cells are that will come.
    run["ground"]["dents"] = {
        {"cell", rut_cell_}, {"frame", none}, {"column", none}, {"row", none}, {"height", none}};
  }
  content.json = page.dump();
  return content;
}

const RunContents& LivePage::make_row(const RunStep& step) {
  RowFiller row(row_, in_order_);
  record::put_row(step, wrench_space(step.world.ground) != nullptr, row);
  return row_;
}

std::vector<double> LivePage::make_values(const RunStep& step) {
  make_row(step);
  std::vector<double> values{step.state.time};
  // The base's height is the first channel of a page.
  values.push_back(viewer::compute_poses(scene_.robot, step.state.qpos.data()).p_WB[1].z);
  for (const viewer::ChannelSpec& spec : channels_) {
    values.push_back(viewer::channel_values(row_, spec).front());
  }
  return values;
}

std::string LivePage::make_frame(const RunStep& step) {
  const viewer::BodyPoses poses = viewer::compute_poses(scene_.robot, step.state.qpos.data());
  Numbers position, quaternion, mass_center, force, center, pressure;
  for (std::size_t b = 1; b < poses.p_WB.size(); ++b) {
    push_numbers(poses.p_WB[b], position);
    const Quatd q = to_quaternion(poses.R_WB[b]);
    quaternion.insert(quaternion.end(), {q.w, q.x, q.y, q.z});
  }
  push_numbers(viewer::center_of_mass(scene_.robot, poses), mass_center);
  for (std::size_t f = 0; f < step.feet.size(); ++f) {
    const FootPatch& patch = step.feet[f];
    if (patch.touching) centers_[f] = patch.center;
    push_numbers(patch.touching ? patch.force : Vec3d{0, 0, 0}, force);
    push_numbers(centers_[f], center);
    pressure.push_back(viewer::mean_pressure(patch.touching, patch.normal_force, patch.contact_area,
                                             viewer::sole_area(scene_, static_cast<int>(f))));
  }
  return fmt::format(R"({{"time":{:.9g},"position":[{}],"quaternion":[{}],"center_of_mass":[{}],)"
                     R"("force":[{}],"center":[{}],"pressure":[{}]}})",
                     step.state.time, number_list(position, "{:.5f}"),
                     number_list(quaternion, "{:.5f}"), number_list(mass_center, "{:.5f}"),
                     number_list(force, "{:.5g}"), number_list(center, "{:.5f}"),
                     number_list(pressure, "{:.5g}"));
}

}  // namespace footfall::serve
