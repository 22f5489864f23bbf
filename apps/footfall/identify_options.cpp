#include "identify_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"
#include "io/words.hpp"

namespace footfall::identify_command {
namespace {

// ---- lists ----

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items;
  if (text.empty()) return items;
  std::size_t from = 0;
  while (true) {
    const std::size_t end = text.find(',', from);
    items.push_back(text.substr(from, end - from));
    if (end == std::string::npos) return items;
    from = end + 1;
  }
}

double number_of(const char* option, const std::string& text) {
  if (const std::optional<double> value = number_in(text)) return *value;
  throw input_error("--{}: '{}' is no number", option, text);
}

// The item of file `index` in a list with one item per file, or one for all.
class PerFile {
 public:
  PerFile(const char* option, const std::string& text, std::size_t files)
      : option_(option), items_(split(text)) {
    if (items_.size() > 1 && items_.size() != files) {
      throw input_error("--{} {} has {} values, expected one, or one for each of the {} files",
                        option, text, items_.size(), files);
    }
  }
  bool for_all() const { return items_.size() == 1; }
  std::string text(std::size_t index) const {
    if (items_.empty()) return "";
    return items_[for_all() ? 0 : index];
  }
  std::optional<double> number(std::size_t index) const {
    const std::string item = text(index);
    if (item.empty()) return {};
    return number_of(option_, item);
  }

 private:
  const char* option_;
  std::vector<std::string> items_;
};

// The index of a word in a list of choices.
std::size_t choice(const char* option, const std::string& word,
                   const std::vector<std::string>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end()) {
    std::string known;
    for (const std::string& c : choices) known += (known.empty() ? "" : ", ") + c;
    throw input_error("--{} '{}', expected one of: {}", option, word, known);
  }
  return static_cast<std::size_t>(found - choices.begin());
}

// ---- feet and files ----

struct Lists {
  PerFile foot, radius, length, width, mesh, mass, load, kind;
};

FootOptions foot_of(const Options& o, const Lists& lists, std::size_t i) {
  FootOptions foot;
  foot.foot = lists.foot.text(i);
  if (!foot.foot.empty()) choice("foot", foot.foot, foot_shapes());
  // Of feet of several shapes a size for all is for those that have it.
  const bool several = !lists.foot.for_all() && !foot.foot.empty();
  const auto size = [&](const char* name, const PerFile& list) -> std::optional<double> {
    if (several && list.for_all() && !has_size(foot.foot, name)) return {};
    return list.number(i);
  };
  foot.radius = size("radius", lists.radius);
  foot.length = size("length", lists.length);
  foot.width = size("width", lists.width);
  if (!(several && foot.foot != "mesh" && lists.mesh.for_all())) foot.mesh = lists.mesh.text(i);
  if (foot.foot == "mesh" || !several) {
    foot.mesh_scale = o.mesh_scale;
    foot.mesh_spacing = o.mesh_spacing;
  }
  return foot;
}

std::vector<IdentifyInput> inputs_of(const Options& o) {
  const std::size_t n = o.files.size();
  const Lists lists{{"foot", o.foot, n},   {"radius", o.radius, n}, {"length", o.length, n},
                    {"width", o.width, n}, {"mesh", o.mesh, n},     {"mass", o.mass, n},
                    {"load", o.load, n},   {"kind", o.kind, n}};
  std::vector<IdentifyInput> inputs;
  for (std::size_t i = 0; i < n; ++i) {
    IdentifyInput input{.file = o.files[i], .sole = make_sole(foot_of(o, lists, i))};
    input.mass = lists.mass.number(i);
    if (input.mass) check_option("mass", *input.mass, 1e-6, 1e6, "kg");
    input.load = lists.load.number(i).value_or(0);
    check_option("load", input.load, -1e9, 1e9, "N");
    const std::string kind = lists.kind.text(i);
    if (!kind.empty()) {
      input.kind = static_cast<TestKind>(choice("kind", kind, {"press", "drop", "drag", "points"}));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<FitKind> parts_of(const std::string& list) {
  std::vector<FitKind> parts;
  for (const std::string& word : split(list)) {
    if (word == "auto") {
      if (list != "auto") throw InputError("--fit auto stands alone: it chooses the parts");
      return {};
    }
    std::vector<std::string> choices = fit_part_names();
    choices.emplace_back("auto");
    parts.push_back(static_cast<FitKind>(choice("fit", word, choices)));
  }
  return parts;
}

std::map<std::string, double> fixed_of(const std::string& list) {
  std::map<std::string, double> fixed;
  for (const std::string& item : split(list)) {
    const std::size_t sign = item.find('=');
    if (sign == std::string::npos || sign == 0) {
      throw input_error("--fix '{}', expected NAME=VALUE, as in k=1e4,n=1.3", item);
    }
    const std::string name = item.substr(0, sign);
    if (!fixed.emplace(name, number_of("fix", item.substr(sign + 1))).second) {
      throw input_error("--fix {} has {} twice, expected each name once", list, name);
    }
  }
  return fixed;
}

// ---- what is written ----

std::string name_of_soil(const std::string& output) {
  return std::filesystem::path(output).stem().string();
}

// Before anything is fitted, so that nothing is written where one of several files cannot be.
void check_writable(const char* option, const std::string& file) {
  if (file.empty()) return;
  const std::filesystem::path path(file);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder)) {
    throw input_error("--{} {}: there is no folder {}", option, file, folder.string());
  }
  if (std::filesystem::is_directory(path)) {
    throw input_error("--{} {} is a folder, expected the name of a file", option, file);
  }
  const bool exists = std::filesystem::exists(path);
  if (::access((exists ? path : folder).c_str(), W_OK) != 0) {
    throw input_error("--{} {}: cannot write: {}", option, file, std::strerror(errno));
  }
}

void check_outputs(const Options& o) {
  check_ending("output", o.output, ".toml");
  check_ending("report", o.report, ".html");
  check_ending("plot", o.plot, ".svg");
  check_writable("output", o.output);
  check_writable("report", o.report);
  check_writable("plot", o.plot);
  if (o.overwrite && o.output.empty()) throw InputError("--overwrite needs --output");
  if (o.output.empty()) return;
  const std::string name = name_of_soil(o.output);
  if (!is_soil_name(name)) {
    throw input_error("--output {}: the soil would be called '{}', expected small letters, digits "
                      "and single hyphens or underscores, as in my-sand.toml",
                      o.output, name);
  }
  if (std::filesystem::exists(o.output) && !o.overwrite) {
    throw input_error("--output {} exists: choose another name, or add --overwrite", o.output);
  }
}

}  // namespace

void add_options(CLI::App& app, Options& o) {
  app.add_option("files", o.files, "Measurements: CSV, HDF5 or MATLAB files, one test each")
      ->required();
  app.add_option("--columns", o.columns, "TOML file that says what the columns mean");
  app.add_option(
      "--foot", o.foot,
      "disc, rectangle, cylinder, sphere or mesh; this and the next seven: one value for "
      "all files, or a list with one each, a,b,c");
  app.add_option("--radius", o.radius, "Of a disc, cylinder or sphere [m]");
  app.add_option("--length", o.length, "Of a rectangle [m]");
  app.add_option("--width", o.width, "Of a rectangle, or of a cylinder along its axis [m]");
  app.add_option("--mesh", o.mesh, "STL or OBJ file, z up, lengths in m");
  app.add_option("--mass", o.mass, "Of what falls in a drop [kg]");
  app.add_option("--load", o.load, "Force on it beside its weight [N]");
  app.add_option("--kind", o.kind, "press, drop, drag or points, where the data look otherwise");
  app.add_option("--mesh-scale", o.mesh_scale, "Factor on the mesh's lengths (0.001: mm)");
  app.add_option("--mesh-spacing", o.mesh_spacing, "Longest edge of a mesh's element [m]");
  app.add_option("--fit", o.fit,
                 "auto, or a list of static, equilibrium, dynamic, shear, friction, series")
      ->capture_default_str();
  app.add_option("--model", o.model, "Law of the normal force")
      ->check(CLI::IsMember(normal_model_names()));
  add_form_options(app, o.form);
  app.add_option("--shear", o.shear, "How shear grows: exponential, tanh or piecewise_linear")
      ->check(CLI::IsMember({"exponential", "tanh", "piecewise_linear"}))
      ->capture_default_str();
  app.add_option("--soil", o.soil, "Its k and n are known for the dynamic fit: a name or a file");
  app.add_option("--fix", o.fix, "Values that are known, SI units: k=1e4,n=1.3");
  app.add_option("--free", o.free, "Unknowns besides: foot_weight,contact_offset");
  app.add_flag("--direct", o.direct, "Dynamic by (60) of Ding 2013, not by the equation of motion");
  app.add_option("--method", o.method, "least_squares, or nelder_mead as in the paper")
      ->check(CLI::IsMember({"least_squares", "nelder_mead"}))
      ->capture_default_str();
  app.add_option("--loss", o.loss, "square, or for data with outliers huber or cauchy")
      ->check(CLI::IsMember({"square", "huber", "cauchy"}))
      ->capture_default_str();
  app.add_option("--starts", o.starts, "Starts of the search; without it 1, dynamic and series 8");
  app.add_option("--confidence", o.confidence, "Of the intervals")->capture_default_str();
  app.add_option("--cutoff-Hz", o.cutoff, "Of the filter of position [Hz]");
  app.add_option("--contact", o.contact,
                 "Where the sinkage starts: given by the column, find, or auto")
      ->check(CLI::IsMember({"auto", "given", "find"}))
      ->capture_default_str();
  app.add_flag("--compare", o.compare, "Fit every law, and tell which the data ask for");
  app.add_flag("--accept-implausible", o.accept_implausible,
               "Values that look like another unit are right");
  app.add_option("--output", o.output, "Write the soil: my-sand.toml");
  app.add_option("--base", o.base, "Soil that gives what was not identified: a name or a file");
  app.add_flag("--overwrite", o.overwrite, "An existing --output may be replaced");
  app.add_option("--report", o.report, "Write a page with data, fits and residuals: fit.html");
  app.add_option("--plot", o.plot, "Draw data and fits as an SVG file");
  app.add_flag("--json", o.json, "Print JSON, and nothing else, on stdout");
}

IdentifyRequest make_request(const Options& o) {
  check_outputs(o);
  IdentifyRequest request;
  request.inputs = inputs_of(o);
  request.read = {.columns = o.columns, .accept_implausible = o.accept_implausible};
  if (o.cutoff) check_option("cutoff-Hz", *o.cutoff, 1e-6, 1e9, "Hz");
  request.prepare.cutoff = o.cutoff;
  request.prepare.contact =
      static_cast<ContactRule>(choice("contact", o.contact, {"auto", "given", "find"}));
  request.parts = parts_of(o.fit);
  if (!o.model.empty()) {
    request.model = static_cast<NormalModel>(choice("model", o.model, normal_model_names()));
    const bool bare = std::any_of(request.inputs.begin(), request.inputs.end(),
                                  [](const IdentifyInput& input) { return !input.sole; });
    if (is_soil(*request.model) && bare) {
      throw input_error("--model {} is the law of a soil under a known sole, and needs --foot",
                        o.model);
    }
  }
  request.form = make_form(o.form);
  request.shear =
      static_cast<ShearForm>(choice("shear", o.shear, {"exponential", "piecewise_linear", "tanh"}));
  request.fit.method =
      static_cast<FitMethod>(choice("method", o.method, {"least_squares", "nelder_mead"}));
  request.fit.loss = static_cast<Loss>(choice("loss", o.loss, {"square", "huber", "cauchy"}));
  check_option("confidence", o.confidence, 0.5, 0.9999, "");
  request.fit.confidence = o.confidence;
  if (o.starts) check_option("starts", *o.starts, 1, 1000, "");
  request.starts = o.starts;
  request.fix = fixed_of(o.fix);
  for (const std::string& name : split(o.free)) request.free.insert(name);
  request.direct = o.direct;
  request.compare = o.compare;
  if (!o.soil.empty()) request.known = load_named_soil(o.soil, "--soil");
  if (!o.base.empty()) request.base = load_named_soil(o.base, "--base");
  if (request.base && o.output.empty() && o.report.empty() && !o.json) {
    throw InputError("--base gives a soil what was not identified, and needs --output, --report or "
                     "--json, which show the soil");
  }
  if (!o.output.empty()) request.soil_name = name_of_soil(o.output);
  return request;
}

}  // namespace footfall::identify_command
