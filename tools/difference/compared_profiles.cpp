#include "difference/compared_profiles.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/ci.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "difference/asked_profiles.hpp"
#include "difference/best.hpp"
#include "difference/pictures.hpp"
#include "difference/side_labels.hpp"
#include "files/shell_word.hpp"
#include "load/format.hpp"
#include "look/markdown.hpp"
#include "look/print.hpp"
#include "look/sections.hpp"
#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "render/outputs.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"
#include "workers.hpp"

namespace assay {
namespace {

/// Names each place: by its own name, which says more than BEFORE, or by its path if another side has that name.
void name_sides(std::vector<SideProfiles>& sides) {
  const auto taken = [&](std::size_t s) { return std::ranges::count(sides, sides[s].name, &SideProfiles::name) > 1; };
  for (std::size_t s = 0; s < 2; ++s) {
    SideProfiles& side = sides[s];
    side.name = side.places.size() == 1 ? side.places.front().filename().string() : side.option;
    if (side.name.empty()) side.name = side.places.front().string();
  }
  const bool shared[] = {taken(0), taken(1)};
  for (std::size_t s = 0; s < 2; ++s) {
    if (shared[s]) sides[s].name = sides[s].places.front().string();
  }
  while (taken(1)) sides[1].name += " (again)";
}

Result<std::vector<SideProfiles>> sides_of(const CompareOptions& options, const Question& sheets) {
  std::vector<SideProfiles> sides{{"BEFORE", "", {}}, {"AFTER", "", {}}};
  if (!options.places.empty()) sides[0].places.push_back(options.places[0]);
  if (options.places.size() > 1) sides[1].places.push_back(options.places[1]);
  sides[0].places.insert(sides[0].places.end(), options.before.begin(), options.before.end());
  sides[1].places.insert(sides[1].places.end(), options.after.begin(), options.after.end());
  for (std::size_t s = 0; s < 2; ++s) {
    if (sides[s].places.empty())
      return Error{sides[s].option + " is missing"}.advise(
          "name both sides, assay compare BEFORE AFTER, or a folder with the profiles of both");
  }
  for (const std::string& also : options.also) {
    const std::size_t at = also.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == also.size())
      return Error{"--also: '" + also + "' is not NAME=PATH, such as nosync=profiles/nosync"}.at(also);
    const std::string name = also.substr(0, at);
    const auto same = std::ranges::find(sides, name, &SideProfiles::option);
    if (same == sides.begin())
      return Error{"--also: '" + name + "' is the name of the first side"}.at(name).advise("choose another");
    if (same == sides.end())
      sides.push_back({name, name, {also.substr(at + 1)}});
    else
      same->places.emplace_back(also.substr(at + 1));
  }
  for (SideProfiles& side : sides) {
    Result<Catalog> catalog = profiles_at(side.places, {sheets}, {.option = side.option, .any_name = true});
    if (!catalog) return catalog.error();
    side.catalog = std::move(*catalog);
  }
  name_sides(sides);
  return sides;
}

/// Whether a file may contain one of these tables.
bool can_hold(FileKind kind, std::initializer_list<ColumnId> tables) {
  const load::Format* format = is_report(kind) ? load::format_of(kind) : nullptr;
  if (format == nullptr || format->notes.fills.empty()) return true;
  return std::ranges::find_first_of(format->notes.fills, tables) != format->notes.fills.end();
}

/// Whether no file of any side contains one of these tables.
bool hold_none(const std::vector<SideProfiles>& sides, std::initializer_list<ColumnId> tables) {
  return std::ranges::all_of(sides, [&](const SideProfiles& side) {
    const std::vector<CatalogEntry>& entries = side.catalog.questions.front().entries;
    return !entries.empty() && std::ranges::none_of(entries, [&](const CatalogEntry& entry) {
      return can_hold(side.catalog.files[entry.file].kind, tables);
    });
  });
}

/// A claim for each budget; without any, that the step is no longer.
void add_budgets(const std::vector<std::string>& budgets, Question& question) {
  const SourcePos pos{"--allow"};
  const auto add = [&](const std::string& budget) {
    ClaimConfig claim{budget.empty() ? "step" : budget.substr(0, budget.find('=')), "", "", {}, pos};
    claim.text = budget.empty() ? "A step takes no longer." : "Within the budget " + budget + ".";
    if (!budget.empty()) claim.keys.push_back({"budget", {budget, pos}});
    question.claims.push_back(std::move(claim));
  };
  for (const std::string& budget : budgets) add(budget);
  if (budgets.empty()) add("");
}

/// The question about profiles of these sides; `catalog` gets the profiles.
Result<Question> question_of(std::vector<SideProfiles> sides, const CompareOptions& options, const Ci& ci,
                             Catalog& catalog, std::vector<std::string>& assumed) {
  const bool memory = hold_none(sides, {col::kernels, col::graphs});
  const bool counters = memory && !hold_none(sides, {col::profiled});
  Result<Question> question = installed_question(!memory    ? "commands/compare_profiles.toml"
                                                 : counters ? "commands/compare_counters.toml"
                                                            : "commands/compare_memory.toml");
  if (!question) return question;
  if (memory) {
    if (options.ci.gate)
      return Error{"--gate needs device work, which these profiles do not hold"}.advise(
          "have a claim judge them: 'assay run QUESTION --gate' with a [[claim]] on one of their metrics");
    if (sides.size() > 2) return Error{"--also needs device work, which these profiles do not hold"};
    sides[0].name = "before";
    sides[1].name = "after";
    for (SideProfiles& side : sides) side.catalog.questions.front().sheets.clear();  // of the other question
  } else {
    if (!options.steps.empty()) question->iterations.nvtx = options.steps;
    const bool reports =
        std::ranges::any_of(ci.targets, [](const ci::Target& target) { return target.service != ci::Service::kNone; });
    if (options.ci.gate || reports) add_budgets(options.allow, *question);
  }
  Result<Catalog> all = catalog_of_sides(std::move(sides), *question, options.choice, assumed);
  if (!all) return all.error();
  catalog = std::move(*all);
  return question;
}

/// Names and titles of the pairs; empty for profiles without device work.
std::vector<std::pair<std::string, std::string>> pairs_of(const QuestionResult& result) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto table = std::ranges::find(result.tables, "pairs", &OwnedTable::id);
  if (table == result.tables.end()) return pairs;
  const auto cell = [&](const char* column, std::size_t row) { return table->find(column)->texts[row]; };
  for (std::size_t r = 0; r < table->rows(); ++r) {
    const std::string labels = cell("labels", r);
    pairs.emplace_back(cell("report", r), fmt::format("{} against {}{}", cell("before", r), cell("after", r),
                                                      labels.empty() ? "" : ", " + labels));
  }
  return pairs;
}

/// With several pairs the overview comes first.
std::vector<look::Page> pages_of(const RunResult& result, const std::string& title,
                                 const std::vector<std::string>& assumed) {
  const QuestionResult& question = result.questions.front();
  std::vector<look::Page> pages{{title, {}, {}}};
  look::ReportRows rows;
  look::add_sections(question, nullptr, {}, pages.front(), rows);
  const ReportResult none{};  // a pair is not a report
  const auto pairs = pairs_of(question);
  for (const auto& [name, heading] : pairs) {
    pages.push_back({heading, {}, {}});
    look::add_sections(question, &none, name, pages.back(), rows);
  }
  if (pairs.size() == 1) pages.erase(pages.begin());
  if (!assumed.empty()) pages.front().parts.push_back({"Runs", {}, {}, assumed});
  const std::vector<std::string> left_out = left_out_of(result);
  if (!left_out.empty()) pages.front().parts.push_back({"Left out", {}, {}, left_out});
  return pages;
}

std::string json_of(const std::vector<look::Page>& pages, const QuestionResult& result) {
  using Json = nlohmann::ordered_json;
  Json all = Json::parse(look::json_of(pages.front()));
  all["pages"] = Json::array();
  for (const look::Page& page : pages) {
    if (&page != &pages.front()) all["pages"].push_back(Json::parse(look::json_of(page)));
  }
  all["pairs"] = rows_of(result, "pairs");
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

/// "Gate failed: step +8.6 ms [...] of 42.3 ms, allowed +0 ns: worse".
std::string gate_sentence(const RunResult& result, const ci::GateInput& input) {
  constexpr const char* kWords[] = {"passed", "undecided", "failed"};
  std::string said;
  for (const OwnedClaim& claim : result.questions.front().claims) {
    for (const OwnedStratum& stratum : claim.strata)
      said += (said.empty() ? "" : "; ") + (claim.strata.size() > 1 ? stratum.labels.front().second + ": " : "") +
              stratum.reason;
  }
  return fmt::format("Gate {}: {}", kWords[static_cast<std::size_t>(ci::gate(input))], said);
}

ci::GateInput gate_of(const RunResult& result) {
  ci::GateInput input = ci::gate_input(result);
  for (ci::Case& one : input.cases) {
    one.pos = {};  // the claim is not in a file: compare generates it
    one.result = one.reason;
  }
  input.decided = input.open_undecides = true;
  return input;
}

Exit print_verdict(const CompareOptions& options, const Ci& ci, const RunResult& result, const std::string& title,
                   const std::vector<std::string>& assumed) {
  if (const auto why = without_answer(result)) return fail(*why);
  const bool document = document::wanted();
  const ci::GateInput input = gate_of(result);
  const std::string said = ci.gated ? gate_sentence(result, input) : std::string();
  const std::vector<look::Page> pages = pages_of(result, title, assumed);
  const std::string summary = look::markdown_of(pages.front());
  if (document) std::cout << json_of(pages, result.questions.front());
  std::optional<InertOutput> inert(std::in_place, ci, document ? std::cerr : std::cout);
  for (const look::Page& page : pages) {
    if (document || (&page != &pages.front() && !options.whole)) break;
    if (&page != &pages.front()) std::cout << "\n";
    look::print_page(page, std::cout, output_style());
  }
  if (!options.out.empty()) {
    std::vector<look::Page> drawn = pages;
    if (drawn.size() == 1) add_pictures(result, drawn.front());
    const std::string html = look::html_page(drawn, "compare", 1);
    if (const auto written = write_outputs(result, options.out, options.force, {.summary = summary, .page = html});
        !written)
      return fail(written.error());
    if (!document) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  }
  if (!said.empty() && !document) std::cout << "\n" << said << "\n";
  inert.reset();
  const Status told = write_ci_reports(ci, input,
                                       {.command = "assay compare",
                                        .summary = (said.empty() ? "" : said + "\n\n") + summary,
                                        .instead = "'assay compare -o OUT' writes all",
                                        .rows_only = document});
  if (!told) return fail(told.error());
  const ci::GateOutcome gate = ci.gated ? ci::gate(input) : ci::GateOutcome::kPassed;
  if (gate == ci::GateOutcome::kPassed) return Exit::kOk;
  const Exit exit = gate == ci::GateOutcome::kFailed ? Exit::kRefuted : Exit::kUndecided;
  document::note({said, exit});
  return exit;
}

}  // namespace

Exit compare_profiles(const CompareOptions& asked_for) {
  const Result<Ci> ci = read_ci(asked_for.ci);
  if (!ci) return fail(ci.error());
  const Result<Question> sheets = installed_question("commands/compare_profiles.toml");
  if (!sheets) return fail(sheets.error());
  CompareOptions options = asked_for;
  std::vector<std::string> assumed;
  Result<std::vector<SideProfiles>> sides = std::vector<SideProfiles>();
  const bool sides_named =
      options.places.size() == 2 || !options.before.empty() || !options.after.empty() || !options.also.empty();
  if (options.best && (options.ci.gate || !options.also.empty() || !options.before.empty() || !options.after.empty()))
    return fail(Error{"--best ranks all configurations, so it has no sides"}.advise(
        "leave out --gate, --before, --after and --also"));
  if (options.best || !sides_named) {
    const bool turned = options.choice.by.find('=') != std::string::npos;
    Result<FolderSides> found = sides_at(options.places, *sheets, options.choice);
    if (!found) return fail(found.error());
    if (options.best || (found->sides.size() > 2 && !turned)) return rank_profiles(options, *std::move(found));
    sides = std::move(found->sides);
    if (sides->size() == 2 && !turned)
      assumed.push_back(fmt::format(
          "before is {}, after {}, in the order of their names; the other way round: assay compare {} --by {}",
          (*sides)[0].name, (*sides)[1].name, shell_word(options.places.front().string()),
          shell_word(found->label + "=" + found->values[1])));
  } else {
    sides = sides_of(options, *sheets);
  }
  if (!sides) return fail(sides.error());
  // At most as many profiles in memory as a side has runs.
  std::size_t jobs = options.jobs;
  if (jobs == 0) {
    for (const SideProfiles& side : *sides) jobs = std::max(jobs, side.catalog.questions.front().entries.size());
    jobs = std::min(jobs, workers_of(0));
  }
  const std::string title = (*sides)[0].name + " against " + (*sides)[1].name;
  Catalog catalog;
  Result<Question> question = question_of(std::move(*sides), options, *ci, catalog, assumed);
  if (!question) return fail(question.error());
  if (!options.out.empty()) {
    if (const Status writable = check_output_folder(options.out, options.force, {*question}); !writable)
      return fail(writable.error());
  }
  const Result<RequestResult> asked = answered(std::move(*question), std::move(catalog),
                                               {.plugin_paths = options.plugin_paths,
                                                .jobs = static_cast<unsigned>(jobs),
                                                .cache = options.no_cache ? std::nullopt : cache_of_large_files()});
  if (!asked) return fail(asked.error());
  return print_verdict(options, *ci, asked->result, title, assumed);
}

}  // namespace assay
