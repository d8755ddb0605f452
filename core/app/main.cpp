// The command line: from arguments to one call.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/early_exit.hpp"
#include "app/log.hpp"
#include "assay/abi.hpp"

namespace {

using assay::Exit;

constexpr const char* kFooter = R"(Examples:
  assay look profile.sqlite
  assay init ~/profiles
  assay list examples/reports
  assay plan configs/rq1_architecture.toml
  assay run configs/rq1_architecture.toml --reports examples/reports -o out
  assay stats profile.sqlite
  assay convert ~/profiles
  assay describe run_summary

Exit codes: 0 done; 1 a claim was refuted (with --gate); 2 bad usage or configuration;
3 every report or every analyzer failed (with --strict: any); 130 interrupted.)";

std::string version_text() {
  return "assay " ASSAY_VERSION " (plugin ABI " + std::to_string(assay::kAbiMajor) + "." +
         std::to_string(assay::kAbiMinor) + ", " + std::string(assay::kCxxAbi) + ")";
}

/// CLI11 has exit codes of its own; ours know one for bad usage.
Exit usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);  // --help, --version
    return Exit::kOk;
  }
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "assay" : "assay " + chosen.front()->get_name();
  return assay::fail({std::string(error.what()) + "; '" + command + " --help' shows the usage"});
}

Exit dispatch(int argc, char** argv) {
  CLI::App app("assay answers research questions from folders of GPU profiles.", "assay");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  assay::CommandLine line{app};
#define ASSAY_ADD(name) assay::add_##name(line);
  ASSAY_COMMANDS(ASSAY_ADD)
#undef ASSAY_ADD
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  }
  if (const assay::Status log = assay::start_log(line.quiet ? -1 : line.verbose, line.log_file); !log)
    return assay::fail(log.error());
  return line.chosen();
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(assay::start_log(0, {}));
  try {
    const assay::NoEarlyExit guard;
    Exit exit = dispatch(argc, argv);
    if (!std::cout.flush() && exit == Exit::kOk) {
      exit = assay::fail({"standard output cannot be written; make room or send it elsewhere", Exit::kFailed});
    }
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(assay::fail({"the run ended early: " + std::string(error.what()), Exit::kFailed}));
  }
}
