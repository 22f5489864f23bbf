// footfall: the command line. Status 0: done; 1: a run failed; 2: wrong input; 130: Ctrl-C.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "command_tree.hpp"
#include "commands.hpp"
#include "footfall/error.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/version.hpp"
#include "parts.hpp"

namespace {

// The command line as typed, quoted where a shell would want it.
std::string command_line(int argc, char** argv) {
  std::string line = "footfall";
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.empty() || argument.find_first_of(" \"'[]{}()*?$&|;<>#\\") != std::string::npos) {
      std::string quoted = "'";
      for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      argument = quoted + "'";
    }
    line += " " + argument;
  }
  return line;
}

int fail(int status, const std::string& message) {
  fmt::print(stderr, "footfall: error: {}\n", message);
  return status;
}

// Every command, in the order of the help page.
void add_commands(CLI::App& app, const std::string& line) {
  using namespace footfall;
  add_part<parts::serve>(app, {"run", "compare", "view"}, [&](auto& commands) {
    add_run_command(commands, line);
    add_compare_command(commands, line);
    add_view_command(commands);
  });
  add_part<parts::run>(app, {"replay"}, [](auto& commands) { add_replay_command(commands); });
  add_export_command(app);
  add_part<parts::serve>(app, {"report"}, [](auto& commands) { add_report_command(commands); });
  add_part<parts::run>(app, {"inspect", "bench"}, [](auto& commands) {
    add_inspect_command(commands);
    add_bench_command(commands);
  });
  add_soils_command(app);
  add_rig_command(app);
  add_part<parts::identify>(app, {"identify"},
                            [&](auto& commands) { add_identify_command(commands, line); });
  add_part<parts::reproduce>(app, {"reproduce"},
                             [](auto& commands) { add_reproduce_command(commands); });
  add_mujoco_command(app);
  add_granular_command(app, line);
  add_help_command(app);
  add_completions_command(app);
}

int run_program(int argc, char** argv) {
  using namespace footfall;
  CLI::App app("Footfall: legged robots on ground that gives way.", "footfall");
  app.footer("Examples:\n"
             "  footfall run scenarios/quadruped_sand.toml\n"
             "  footfall run scenarios/quadruped_drop.toml --set soil.name=sand --json\n"
             "  footfall compare scenarios/quadruped_drop.toml --soil sand,concrete\n"
             "  footfall view results/quadruped_sand/run.h5\n"
             "  footfall export results/quadruped_sand/run.h5\n"
             "  footfall inspect robots/quadruped.xml --compare-mujoco\n"
             "  footfall soils --kind plastic --foot disc --radius 0.05 --load 100\n"
             "  footfall identify press.csv --foot disc --radius 0.05 --output my-sand.toml\n"
             "\nfootfall help COMMAND tells more about a command.");
  std::string version(footfall::build_description());
  if (!footfall::parts::mujoco_version.empty()) {
    version += fmt::format(", MuJoCo {}", footfall::parts::mujoco_version);
  }
  app.set_version_flag("--version", version, "Print the version and how the program was built");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(0, 1);
  add_commands(app, command_line(argc, argv));
  check_names(app, argc, argv);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::RuntimeError& end) {
    return end.get_exit_code();
  } catch (const CLI::Success& help) {  // --help, --version
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(
        2, fmt::format("{}\n  footfall --help lists the commands and their options", error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of its write
  footfall::protect_inputs();
  try {
    return run_program(argc, argv);
  } catch (const footfall::InputError& error) {
    return fail(2, error.what());
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
