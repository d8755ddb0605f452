#include <iostream>

#include "app/commands.hpp"
#include "app/log.hpp"
#include "app/terminal.hpp"
#include "results/stored_results.hpp"

namespace assay {

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

}  // namespace assay
