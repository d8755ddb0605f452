#include <iostream>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "results/stored_results.hpp"

namespace assay {
namespace {

Exit show_results(const std::filesystem::path& out, bool whole) {
  const auto questions = read_results(out, false);
  if (!questions) return fail(questions.error());
  std::vector<SummaryInput> inputs;
  for (const StoredQuestion& question : *questions) inputs.push_back(question.summary());
  TerminalStyle style = output_style();
  style.whole = whole;
  print_summary(inputs, std::cout, style);
  return Exit::kOk;
}

}  // namespace

void add_show(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay show out
  assay show out -v)";
  const auto out = std::make_shared<std::filesystem::path>();
  CLI::App& command = line.add("show", "Print a finished result again", kFooter, out,
                               [&line](const auto& folder) { return show_results(folder, line.verbose > 0); });
  command.add_option("out", *out, "Folder that 'assay run -o' wrote")->required()->type_name("OUT");
  add_verbose(command, line);
}

}  // namespace assay
