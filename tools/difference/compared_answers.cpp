#include "difference/compared_answers.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "load/format.hpp"
#include "look/print.hpp"
#include "look/sections.hpp"
#include "pipeline/outcome.hpp"
#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "render/outputs.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

bool can_hold_work(FileKind kind) {
  const load::Format* format = is_report(kind) ? load::format_of(kind) : nullptr;
  if (format == nullptr) return true;  // why it is not read is said where it is read
  const auto holds = [&](ColumnId table) {
    return std::ranges::find(format->notes.fills, table) != format->notes.fills.end();
  };
  return format->notes.fills.empty() || holds(col::kernels) || holds(col::graphs);
}

/// Profiles of a side, in the first question of the catalog.
Status add_side(const difference::SidePlaces& side, const Question& question, std::string_view label, std::size_t order,
                Catalog& to) {
  Result<Catalog> catalog = profiles_at(side.places, {question}, {.option = side.name, .any_name = true});
  if (!catalog) return catalog.error();
  const std::size_t first = to.files.size();
  std::set<std::string> names;
  for (const FoundFile& file : to.files) names.insert(file.name);
  for (FoundFile& file : catalog->files) {
    if (names.contains(file.name)) file.name = file.path.string();
    for (int copy = 2; !names.insert(file.name).second; ++copy)
      file.name = file.path.string() + "~" + std::to_string(copy);
    to.files.push_back(std::move(file));
  }
  for (CatalogEntry& entry : catalog->questions.front().entries) {
    entry.file += first;
    for (std::size_t& joined : entry.counters) joined += first;
    entry.labels = {{0, std::string(label), static_cast<double>(order), LabelOrigin::kName}};
    to.questions.front().entries.push_back(std::move(entry));
  }
  return ok();
}

}  // namespace

bool have_no_work(std::span<const difference::SidePlaces> sides) {
  return std::ranges::all_of(sides, [](const difference::SidePlaces& side) {
    const Result<Catalog> catalog = profiles_at(side.places, {}, {.option = side.name});
    if (!catalog) return false;
    const std::vector<CatalogEntry>& entries = catalog->questions.front().entries;
    return !entries.empty() && std::ranges::none_of(entries, [&](const CatalogEntry& entry) {
      return can_hold_work(catalog->files[entry.file].kind);
    });
  });
}

Exit compare_answers(const CompareOptions& options, std::span<const difference::SidePlaces> sides) {
  if (options.ci.gate)
    return fail(Error{"--gate needs device work, which these profiles do not hold"}.advise(
        "have a claim judge them: 'assay run QUESTION --gate' with a [[claim]] on one of their metrics"));
  if (sides.size() > 2) return fail(Error{"--also needs device work, which these profiles do not hold"});
  const Result<Question> question = installed_question("commands/compare_profiles.toml");
  if (!question) return fail(question.error());
  Catalog catalog;
  catalog.questions.emplace_back();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const Status added = add_side(sides[s], *question, s == 0 ? "before" : "after", s, catalog);
    if (!added) return fail(added.error());
  }
  const auto answered = answer({.questions = {*question},
                                .catalog = std::move(catalog),
                                .settings = {.plugin_paths = options.plugin_paths,
                                             .jobs = options.jobs,
                                             .progress = progress_bars(true),
                                             .stop = &stop_on_signals()}});
  if (!answered) return fail(answered.error());
  const RunResult& result = answered->result;
  if (!options.out.empty()) {
    if (const auto written = write_outputs(result, options.out, options.force); !written) return fail(written.error());
  }
  look::Page page{sides[0].places.front().string() + " -> " + sides[1].places.front().string(), {}, {}};
  look::add_sections(result.questions.front(), nullptr, {}, page);
  if (document::wanted())
    std::cout << look::json_of(page);
  else
    look::print_page(page, std::cout, output_style());
  if (!options.out.empty() && !document::wanted())
    std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  if (const auto why = total_failure(result)) return fail({*why, Exit::kFailed});
  return Exit::kOk;
}

}  // namespace assay
