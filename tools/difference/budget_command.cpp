#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "difference/asked_profiles.hpp"
#include "look/page_output.hpp"
#include "look/print.hpp"
#include "look/sections.hpp"
#include "recognise/profiles.hpp"
#include "render/text.hpp"
#include "runs/configurations.hpp"

namespace assay {
namespace {

struct BudgetOptions {
  std::vector<std::filesystem::path> places;
  std::vector<std::string> steps;
  unsigned jobs = 0;
  std::filesystem::path out;  ///< -o: a page or a folder
  bool force = false;         ///< --force: replaces an earlier page
};

/// An object with `answer`, `iteration` and `rows`, times in ns.
std::string budget_json(const look::Page& page, const QuestionResult& result,
                        const std::vector<std::string>& left_out) {
  using Json = nlohmann::ordered_json;
  Json rows = rows_of(result, "budget"), iterations = rows_of(result, "iterations");
  rows.erase(rows.size() - 1);  // the sum
  for (Json* list : {&rows, &iterations}) {
    for (Json& row : *list) row.erase("report");
  }
  const Json all = {
      {"answer", page.headline}, {"iteration", iterations.front()}, {"rows", rows}, {"left_out", left_out}};
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Exit show_budget(const BudgetOptions& options) {
  const look::PageOutput output{options.out, "budget", options.force};
  if (const Status free = output.check(); !free) return fail(free.error());
  Result<Question> question = installed_question("commands/budget.toml");
  if (!question) return fail(question.error());
  if (!options.steps.empty()) question->iterations.nvtx = options.steps;
  Result<Catalog> catalog = profiles_at(options.places, {*question}, {.any_name = true});
  if (!catalog) return fail(catalog.error());
  if (const Status one = check_one_program(*catalog); !one) return fail(one.error());
  const Result<RequestResult> asked = answered(std::move(*question), std::move(*catalog), {.jobs = options.jobs});
  if (!asked) return fail(asked.error());
  const RunResult& result = asked->result;
  if (const auto why = without_answer(result)) return fail(*why);
  look::Page page{options.places.front().string(), {}, {}};
  look::ReportRows rows;
  look::add_sections(result.questions.front(), nullptr, {}, page, rows);
  const std::vector<std::string> left_out = left_out_of(result);
  if (!left_out.empty()) page.parts.push_back({"Left out", {}, {}, left_out});
  const std::string json = budget_json(page, result.questions.front(), left_out);
  if (document::wanted())
    std::cout << json;
  else
    look::print_page(page, std::cout, output_style(), look::kEveryRow);
  if (options.out.empty()) return Exit::kOk;
  if (const Status written = output.write(look::html_page({page}), json); !written) return fail(written.error());
  if (!document::wanted()) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  return Exit::kOk;
}

}  // namespace

void add_budget(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Rows sum to the wall clock of a mean iteration. Each instant counts once: for the kernel or graph that runs, else for
communication, a copy, a memory set, else for what the idle device waits for. So communication here is what no kernel hides;
"sum of durations" has all of it. Several profiles are repeat runs of one program.

Examples:
  assay budget profile.sqlite
  assay budget trace.json.gz --steps 'decode_{i}'
  assay budget runs/base --json)";
  const auto options = std::make_shared<BudgetOptions>();
  CLI::App& command = line.add("budget", "Show what an iteration's time consists of: rows that sum to its wall clock",
                               kFooter, options, &show_budget);
  add_option(command, "place", options->places, "Profiles of one program, or folders of them")
      ->required()
      ->type_name("PROFILE...");
  add_option(command, "--steps", options->steps, "Ranges that are iterations, e.g. 'train_{i}'; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  add_jobs(command, options->jobs, "Profiles read in parallel");
  add_format_path(command);
  add_wide(command);
  add_option(command, "-o,--out", options->out,
             "Also write the page, FILE.html, or a folder with budget.html and budget.json")
      ->type_name("FILE.html|DIR");
  add_flag(command, "--force", options->force, "Replace an earlier page");
  document::add_flag(command);
}

}  // namespace assay
