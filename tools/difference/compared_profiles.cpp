#include "difference/compared_profiles.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/algo/summary.hpp"
#include "cli/ci.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/installed_options.hpp"
#include "difference/cells.hpp"
#include "difference/compared_answers.hpp"
#include "difference/gate.hpp"
#include "difference/html.hpp"
#include "difference/json.hpp"
#include "difference/measure.hpp"
#include "difference/page.hpp"
#include "files/read_file.hpp"
#include "files/result_folder.hpp"
#include "look/print.hpp"
#include "pipeline/plain_times.hpp"
#include "recognise/profiles.hpp"
#include "render/text.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;
using difference::Comparison;

constexpr const char* kFindings = "findings.json";

Result<std::vector<difference::SidePlaces>> sides_of(const CompareOptions& options) {
  std::vector<difference::SidePlaces> sides{{"BEFORE", {}}, {"AFTER", {}}};
  if (!options.places.empty()) sides[0].places.push_back(options.places[0]);
  if (options.places.size() > 1) sides[1].places.push_back(options.places[1]);
  sides[0].places.insert(sides[0].places.end(), options.before.begin(), options.before.end());
  sides[1].places.insert(sides[1].places.end(), options.after.begin(), options.after.end());
  for (const std::string& also : options.also) {
    const std::size_t at = also.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == also.size())
      return Error{"--also: '" + also + "' is not NAME=PATH, such as nosync=profiles/nosync"}.at(also);
    const std::string name = also.substr(0, at);
    const auto same = std::find_if(sides.begin(), sides.end(), [&](const auto& s) { return s.name == name; });
    if (same == sides.begin())
      return Error{"--also: '" + name + "' is the name of the first side"}.at(name).advise("choose another");
    if (same == sides.end()) {
      sides.push_back({name, {also.substr(at + 1)}});
    } else {
      same->places.emplace_back(also.substr(at + 1));
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    if (sides[s].places.empty())
      return Error{sides[s].name + " is missing"}.advise("name both sides: assay compare BEFORE AFTER");
  }
  return sides;
}

std::vector<std::string> names_in(const fs::path& list) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30U;
  const Result<std::string> text = files::read_file(list, kLargest, files::NamedBy::kAssay);
  const auto json = nlohmann::json::parse(text ? *text : std::string(), nullptr, false);
  if (!json.is_object() || json.value("kind", "") != "assay compare" || !json.contains("files")) return {};
  return json["files"].get<std::vector<std::string>>();
}

/// Markdown of all comparisons, with the result of the gate in front.
std::string summary_of(const std::vector<Comparison>& comparisons, const std::string& gate) {
  std::string summary;
  for (const Comparison& c : comparisons)
    summary += compare::summary_md(c, comparisons.size() > 1, &c == &comparisons.front() ? gate : "");
  return summary;
}

Status write_files(const CompareOptions& options, const std::vector<Comparison>& comparisons, const std::string& gate) {
  auto folder =
      files::ResultFolder::make(options.out, {.list = kFindings, .names_in = &names_in, .force = options.force});
  if (!folder) return folder.error();
  const std::vector<std::string> names{kFindings, "report.html", "summary.md"};
  const std::pair<std::string, std::string> texts[] = {{kFindings, compare::comparison_json(comparisons, gate, names)},
                                                       {"report.html", compare::comparison_html(comparisons, gate)},
                                                       {"summary.md", summary_of(comparisons, gate)}};
  for (const auto& [name, text] : texts) {
    std::ofstream to(folder->path() / name, std::ios::binary);
    to << text;
    if (!to.flush())
      return Error{"'" + (options.out / name).string() + "' cannot be written", Exit::kFailed}
          .at((options.out / name).string())
          .advise("free some space there");
  }
  return folder->publish(names);
}

/// Names each place: by its own name, which says more than BEFORE, or by its path if another side has that name.
void name_sides(std::vector<difference::Side>& sides, const std::vector<difference::SidePlaces>& places) {
  for (std::size_t s = 0; s < 2; ++s) {
    if (places[s].places.size() == 1) sides[s].name = places[s].places.front().filename().string();
    if (sides[s].name.empty()) sides[s].name = places[s].places.front().string();
  }
  const auto shares_its_name = [&](std::size_t s) {
    return std::ranges::count_if(sides, [&](const auto& side) { return side.name == sides[s].name; }) > 1;
  };
  const bool shared[] = {shares_its_name(0), shares_its_name(1)};
  for (std::size_t s = 0; s < 2; ++s) {
    if (shared[s]) sides[s].name = places[s].places.front().string();
  }
}

std::string side_and_cell(const Comparison& c) { return c.after.name + (c.cell.empty() ? "" : ", " + c.cell); }

/// Compares each cell of the first side with that of each other side.
std::vector<Comparison> compare_all(const PairedSides& paired) {
  const std::vector<SideCell>& first = paired.cells.front();
  const std::size_t among = (paired.cells.size() - 1) * first.size();
  std::vector<Comparison> out;
  for (std::size_t s = 1; s < paired.cells.size(); ++s) {
    for (std::size_t cell = 0; cell < first.size(); ++cell) {
      out.push_back(difference::compare(first[cell].side, paired.cells[s][cell].side, among));
      out.back().cell = first[cell].labels;
    }
  }
  return out;
}

/// Times that the program measured itself without a profiler; empty if there is no sheet next to the profiles.
std::vector<PlainTime> plain_times_of(const difference::SidePlaces& side) {
  const Result<Question> question = plain_times_question();
  if (!question) return {};
  const Result<Catalog> catalog = profiles_at(side.places, {*question});
  if (!catalog) return {};
  const Result<std::vector<PlainTime>> times = plain_times(*question, *catalog);
  return times ? *times : std::vector<PlainTime>{};
}

/// Median of the ranges of a path below the steps, over the runs of a side.
void add_plain_median(const difference::Side& side, const std::vector<PlainTime>& times, const std::string& path,
                      difference::PhaseSide& to) {
  std::vector<double> medians;
  for (const PlainTime& time : times) {
    const bool own = std::ranges::find(side.runs, time.report, &difference::RunMeasure::place) != side.runs.end();
    if (!own || (time.range != path && !time.range.ends_with("/" + path))) continue;
    to.plain_bounds = time.bounds;
    medians.push_back(time.plain);
  }
  if (medians.empty()) return;
  to.plain = median(medians);
  if (medians.size() > 1) to.plain_bounds = median_bounds(medians);
}

void add_plain_times(const std::vector<difference::SidePlaces>& places, std::size_t cells,
                     std::vector<Comparison>& comparisons) {
  const std::vector<PlainTime> before = plain_times_of(places.front());
  for (std::size_t s = 1; !before.empty() && s < places.size(); ++s) {
    const std::vector<PlainTime> after = plain_times_of(places[s]);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      Comparison& c = comparisons[(s - 1) * cells + cell];
      for (difference::PhaseChange& phase : c.phases) {
        add_plain_median(c.before, before, phase.path, phase.before);
        add_plain_median(c.after, after, phase.path, phase.after);
      }
    }
  }
}

/// A budget as a case: the claim that AFTER stays within it.
ci::Case case_of(const Comparison& c, const compare::BudgetAnswer& budget) {
  const Verdict verdict = budget.outcome == compare::GateOutcome::kFailed      ? Verdict::kRefuted
                          : budget.outcome == compare::GateOutcome::kUndecided ? Verdict::kInconclusive
                                                                               : Verdict::kSupported;
  return {.question = "compare",
          .claim = budget.what,
          .text = side_and_cell(c) + ": " + budget.headline,
          .verdict = verdict,
          .reason = budget.sentence,
          .result = budget.headline};
}

/// For pairs prints the overview, and each pair on request.
void print_pages(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired, bool whole) {
  const bool paired = !comparisons.front().cell.empty();
  if (paired) look::print_page(compare::overview_of(comparisons, unpaired), std::cout, output_style());
  for (const Comparison& c : comparisons) {
    if (paired && !whole) break;
    if (paired || &c != &comparisons.front()) std::cout << "\n";
    look::print_page(compare::page_of(c, whole), std::cout, output_style());
  }
}

}  // namespace

Exit compare_profiles(const CompareOptions& options) {
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return fail(ci.error());
  const auto places = sides_of(options);
  if (!places) return fail(places.error());
  std::vector<compare::Budget> budgets;
  for (const std::string& text : options.allow) {
    Result<compare::Budget> budget = compare::read_budget(text);
    if (!budget) return fail(budget.error());
    budgets.push_back(std::move(*budget));
  }
  if (have_no_work(*places)) return compare_answers(options, *places);
  const NameRules classes = installed_kernel_rules();
  const difference::MeasureOptions measure{options.steps.empty() ? installed_step_names() : options.steps,
                                           !options.steps.empty(), options.jobs};
  std::vector<difference::Side> sides;
  for (const difference::SidePlaces& side : *places) {
    Result<difference::Side> measured = difference::measure_side(side, measure, classes);
    if (!measured) return fail(measured.error());
    sides.push_back(std::move(*measured));
  }
  name_sides(sides, *places);
  const PairedSides paired = pair_sides(std::move(sides));
  std::vector<Comparison> comparisons = compare_all(paired);
  add_plain_times(*places, paired.cells.front().size(), comparisons);

  std::string said;
  ci::GateInput judged{.decided = true, .open_undecides = true};
  for (const Comparison& c : comparisons) {
    const compare::GateAnswer gate = compare::gate(c, budgets);
    if (options.ci.gate) {
      said += (said.empty() ? "" : "\n") + (comparisons.size() > 1 ? side_and_cell(c) + ": " : std::string()) +
              gate.sentence;
    }
    for (const compare::BudgetAnswer& budget : gate.budgets) judged.cases.push_back(case_of(c, budget));
  }
  const bool document = document::wanted();
  if (document) std::cout << compare::comparison_json(comparisons, said, {});
  std::optional<InertOutput> inert(std::in_place, *ci, document ? std::cerr : std::cout);
  if (!document) print_pages(comparisons, paired.unpaired, options.whole);
  if (!options.out.empty()) {
    if (const Status written = write_files(options, comparisons, said); !written) return fail(written.error());
    if (!document) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  }
  if (!said.empty() && !document) std::cout << "\n" << said << "\n";
  inert.reset();
  const Status told = write_ci_reports(*ci, judged,
                                       {.command = "assay compare",
                                        .summary = summary_of(comparisons, said),
                                        .instead = "'assay compare -o OUT' writes all",
                                        .rows_only = document});
  if (!told) return fail(told.error());
  if (!ci->gated) return Exit::kOk;
  const ci::GateOutcome gate = ci::gate(judged);
  if (gate == ci::GateOutcome::kPassed) return Exit::kOk;
  const Exit exit = gate == ci::GateOutcome::kFailed ? Exit::kRefuted : Exit::kUndecided;
  document::note({said, exit});
  return exit;
}

}  // namespace assay
