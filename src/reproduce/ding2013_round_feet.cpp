// Figs. 11 and 13: the closed forms of round feet against the integral of the true stress.
#include <fmt/format.h>

#include <numbers>

#include "reproduce/ding2013_parts.hpp"
#include "soil/quadrature.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kDepths[] = {0.001, 0.01, 0.03, 0.05};  // of the tables [m]

struct NamedForm {
  const char* name;
  ForceForm form;
  const char* legend;
};

double force_at(const FootSole& sole, const PlasticSoil& soil, ForceForm form, double sinkage) {
  return normal_force(sole, soil, sinkage, {.form = form}).force;
}

// Forms over the exact force: one row per depth.
NumberTable ratio_table(const std::string& title, const FootSole& sole, const PlasticSoil& soil,
                        const std::vector<NamedForm>& forms) {
  NumberTable table{
      .title = title, .columns = {"sinkage [mm]", "exact [N]"}, .names = {}, .rows = {}};
  for (const NamedForm& f : forms) table.columns.push_back(fmt::format("{}/exact", f.name));
  for (const double depth : kDepths) {
    const double exact = force_at(sole, soil, ForceForm::exact, depth);
    std::vector<double> row = {1e3 * depth, exact};
    for (const NamedForm& f : forms) row.push_back(force_at(sole, soil, f.form, depth) / exact);
    table.rows.push_back(row);
  }
  return table;
}

Plot form_plot(const FootSole& sole, const PlasticSoil& soil, const std::vector<NamedForm>& forms) {
  const PlotAxis sinkage{.label = "sinkage", .unit = "mm"};
  PlotPanel forces{.title = "Force", .x = sinkage, .y = {.label = "normal force", .unit = "N"}};
  PlotPanel ratios{
      .title = "Over the exact force", .x = sinkage, .y = {.label = "force / exact force"}};
  const SoleLaw exact = make_sole_law(sole, soil);
  const auto force = [](const SoleLaw& law) {
    return [&law](double d) { return normal_force(law, d).force; };
  };
  forces.lines = {sample_line("exact: true stress", 0, kRadius, force(exact), 1e3)};
  ratios.lines = {sample_line("exact: true stress", 0, kRadius, [](double) { return 1.0; }, 1e3)};
  for (const NamedForm& f : forms) {
    const SoleLaw law = make_sole_law(sole, soil, {.form = f.form});
    forces.lines.push_back(sample_line(f.legend, 0, kRadius, force(law), 1e3));
    const auto ratio = [&](double d) {
      return normal_force(law, d).force / normal_force(exact, d).force;
    };
    ratios.lines.push_back(sample_line(f.legend, 1e-5, kRadius, ratio, 1e3));
  }
  return {.panels = {forces, ratios}};
}

// An error that the paper gives for a form.
struct Printed {
  NamedForm form;
  double error;        // [%]
  const char* reason;  // empty: reproduced to the printed digits
};

void add_errors(const SoleLaw& exact, const PlasticSoil& soil, const std::vector<Printed>& errors,
                Reproduction& out) {
  const double largest_force = normal_force(exact, kRadius).force;
  for (const Printed& p : errors) {
    const SoleLaw law = make_sole_law(exact.sole, soil, {.form = p.form.form});
    const double error = largest_of(kRadius, [&](double d) {
      return normal_force(law, d).force - normal_force(exact, d).force;
    });
    const Comparison item =
        compared("Fig. 11", fmt::format("{}, error over largest force", p.form.name), "%", p.error,
                 100 * error / largest_force);
    const bool known = *p.reason == 0;
    out.add(known ? reproduces(item, printed(0.1)) : is_difference(item, printed(0.1), p.reason));
  }
  for (const Printed& p : errors) {
    const double d = 1e-6;
    const double ratio = force_at(exact.sole, soil, p.form.form, d) / normal_force(exact, d).force;
    out.add(is_difference(compared("Fig. 11",
                                   fmt::format("{}, error over force, sinkage to 0", p.form.name),
                                   "%", p.error, 100 * (1 - ratio)),
                          printed(0.1), "1 - 1/B(n+1, 1/2): stress is no straight line"));
  }
}

// (33) as printed, and (31) with the straight stress that it stands for, by quadrature: not by the
// library's forms, of which one is made from the other [N].
double printed_33(const PlasticSoil& soil, double sinkage) {
  const double angle = entry_angle(kRadius, sinkage);
  const double peak = sinkage_modulus(soil, kRadius) * std::pow(sinkage, soil.pressure.exponent);
  return std::numbers::pi * kRadius * kRadius * peak *
         (1 - std::sin(angle) * std::cos(angle) / angle);
}
double integral_31(const PlasticSoil& soil, double sinkage) {
  const double angle = entry_angle(kRadius, sinkage);
  const double peak = sinkage_modulus(soil, kRadius) * std::pow(sinkage, soil.pressure.exponent);
  const double integral = integrate_from_edge([&](double t) {
    const double theta = t * angle;
    return (1 - t) * std::sin(theta) * std::cos(theta);
  });
  return 2 * std::numbers::pi * kRadius * kRadius * peak * angle * integral;
}

void add_sphere_figure(const FootSole& sole, const PlasticSoil& sand, Reproduction& out) {
  const std::vector<NamedForm> forms = {
      {"(34)", ForceForm::eq_34, "(34)"},
      {"(33)", ForceForm::eq_33, "(33) as printed"},
      {"linearised", ForceForm::linearized_stress, "half of (33)"}};
  out.tables.push_back(ratio_table("Sphere, R = 50 mm, dry sand", sole, sand, forms));
  Plot plot = form_plot(sole, sand, forms);
  plot.title = "Ding 2013, Fig. 13: a sphere on dry sand";
  plot.subtitle =
      "R = 50 mm. (33) is twice the integral that it stands for; only so is it near (34)";
  out.figures.push_back({"fig13-sphere.svg", "normal force of a sphere: exact, (33), (34)", plot});
}

}  // namespace

void add_cylinder(const Soils& soils, Reproduction& out) {
  const PlasticSoil& sand = plastic_soil(soils, "dry-sand");
  const FootSole sole = make_cylinder(kRadius, kWidth);
  const SoleLaw exact = make_sole_law(sole, sand);
  const double largest_force = normal_force(exact, kRadius).force;
  const double n = sand.pressure.exponent;

  // (24) without r b, by quadrature: what the caption of Fig. 11 has
  const double caption =
      2 * sinkage_modulus(sand, kWidth) * std::pow(kRadius, n) * rim_integral(n, 1);
  out.add(is_papers_error(
      compared("Fig. 11", "caption's integral at 50 mm", "N", caption, largest_force),
      largest_force / (kRadius * kWidth), "caption forgets r b"));

  const std::vector<Printed> errors = {{{"(29a)", ForceForm::eq_29a, "(29a)"},
                                        17.5,
                                        "0.06 beyond the printed digits, cause unknown"},
                                       {{"(29b)", ForceForm::eq_29b, "(29b)"}, 4.9, ""},
                                       {{"(29c)", ForceForm::eq_29c, "(29c)"}, 8.8, ""}};
  std::vector<NamedForm> forms;
  forms.reserve(errors.size());
  for (const Printed& p : errors) forms.push_back(p.form);
  add_errors(exact, sand, errors, out);
  out.tables.push_back(ratio_table("Cylinder, r = 50 mm, b = 80 mm, dry sand", sole, sand, forms));
  Plot plot = form_plot(sole, sand, forms);
  plot.title = "Ding 2013, Fig. 11: a cylinder on dry sand";
  plot.subtitle = fmt::format(
      "r = 50 mm, b = 80 mm. At small sinkage all three forms are {:.0f} % low",
      100 * (1 - force_at(sole, sand, ForceForm::eq_29c, 1e-6) / normal_force(exact, 1e-6).force));
  out.figures.push_back(
      {"fig11-cylinder.svg", "normal force of a cylinder: exact, (29a, b, c)", plot});
}

void add_sphere(const Soils& soils, Reproduction& out) {
  const PlasticSoil& sand = plastic_soil(soils, "dry-sand");
  const FootSole sole = make_sphere(kRadius);
  const double d = 0.01;
  const double exact = force_at(sole, sand, ForceForm::exact, d);
  const double straight = integral_31(sand, d), as_printed = printed_33(sand, d);
  const double printed_34 = force_at(sole, sand, ForceForm::eq_34, d);
  out.add(is_papers_error(
      compared("(33)", "integral (31), straight stress, 10 mm", "N", as_printed, straight),
      2 * straight, "(32) has lost a factor 1/2"));
  out.add(is_difference(compared("(33)", "against the true stress, 10 mm", "N", as_printed, exact),
                        formula(as_printed), "factor 2, and the straight line"));
  out.add(is_difference(compared("(34)", "against the true stress, 10 mm", "N", printed_34, exact),
                        formula(printed_34), "near n = 1 and for small sinkage only"));
  out.add(is_difference(compared("(34)", "against the true stress, 50 mm", "N",
                                 force_at(sole, sand, ForceForm::eq_34, kRadius),
                                 force_at(sole, sand, ForceForm::exact, kRadius)),
                        formula(450), "no term R - sinkage"));
  const PlasticSoil& clay = plastic_soil(soils, "heavy-clay");
  out.add(is_difference(compared("(34)", "heavy clay, n = 0.11, 1 mm", "N",
                                 force_at(sole, clay, ForceForm::eq_34, 1e-3),
                                 force_at(sole, clay, ForceForm::exact, 1e-3)),
                        formula(10), "(34)/exact goes to (n + 1)/2"));
  const double apart = largest_of(kRadius, [&](double depth) {
    return force_at(sole, sand, ForceForm::eq_33, depth) -
           force_at(sole, sand, ForceForm::eq_34, depth);
  });
  const double end = force_at(sole, sand, ForceForm::eq_33, kRadius);
  out.add(agrees(claimed("Fig. 13", "(33) and (34) apart, over the largest", "%", "close",
                         100 * apart / end, "two approximations agree"),
                 apart < 0.1 * end));
  add_sphere_figure(sole, sand, out);
}

}  // namespace footfall::ding2013
