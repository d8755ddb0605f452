#include "recognise/profiles.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "catalog/foreign.hpp"
#include "catalog/places.hpp"
#include "config/iteration_names.hpp"
#include "discover/discover.hpp"
#include "files/scan_watch.hpp"
#include "files/staged_file.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"

namespace assay {
namespace {

Error with_option(const Error& error, const Expectation& expected) {
  return expected.option.empty() ? error : error.in(expected.option + ": ");
}

}  // namespace

Result<Catalog> profiles_at(std::span<const std::filesystem::path> places, std::vector<Question> questions,
                            const Expectation& expected) {
  if (questions.empty()) questions.emplace_back().id = "profiles";
  std::vector<LabelRules> rules;
  for (Question& question : questions) {
    rules.push_back(question.labels);
    if (expected.any_name) question.labels = {};
  }
  Result<Catalog> catalog = discover(questions, places, scan_watch());
  if (!catalog) return with_option(catalog.error(), expected);
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    const FoundFile& file = catalog->files[entry.file];
    if (expected.strict && file.named && !is_report(file.kind))
      return with_option(refusal_of(file).in(fmt::format("'{}': ", file.path.string())), expected);
  }
  for (std::size_t q = 0; q < questions.size(); ++q) {
    std::vector<CatalogEntry>& entries = catalog->questions[q].entries;
    std::erase_if(entries, [&](const CatalogEntry& entry) {
      const FoundFile& file = catalog->files[entry.file];
      const load::Format* format = is_report(file.kind) ? load::format_of(file.kind) : nullptr;
      const auto named = [&](std::size_t page) { return catalog->files[page].named; };
      return expected.exports_only && !file.named && std::ranges::none_of(entry.counters, named) && format != nullptr &&
             format->names.raw.empty();
    });
    for (CatalogEntry& entry : entries) {
      if (expected.any_name) entry.labels = parse_name(rules[q], catalog->files[entry.file].path.native()).labels;
    }
  }
  for (const QuestionCatalog& question : catalog->questions) {
    for (const CatalogEntry& entry : question.entries) {
      for (const std::size_t joined : entry.counters) files::declare_input(catalog->files[joined].path);
      files::declare_input(catalog->files[entry.file].path);
    }
  }
  const bool none =
      std::ranges::all_of(catalog->questions, [](const auto& question) { return question.entries.empty(); });
  if (none) return with_option(no_report_in(places), expected);
  return catalog;
}

ProfileFiles files_of(const Catalog& catalog, const CatalogEntry& entry) {
  ProfileFiles files{catalog.files[entry.file]};
  for (const std::size_t file : entry.counters) files.counters.push_back(catalog.files[file].path);
  return files;
}

std::vector<ProfileFiles> files_of(const Catalog& catalog) {
  std::vector<ProfileFiles> all;
  for (const CatalogEntry& entry : catalog.questions.front().entries) all.push_back(files_of(catalog, entry));
  return all;
}

const std::set<ColumnId>& every_table() {
  static const std::set<ColumnId> tables = {col::kernels, col::graphs, col::copies,   col::sets,
                                            col::calls,   col::ranges, col::spans,    col::syncs,
                                            col::devices, col::ops,    col::declared, col::steps};
  return tables;
}

Result<Profile> read_profile(const ProfileFiles& files, const std::set<ColumnId>& columns, unsigned threads) {
  const FoundFile& file = files.file;
  if (!is_report(file.kind)) return refusal_of(file).as(Exit::kFailed);
  Result<Profile> profile =
      load_profile({file.path, file.kind}, file.name, columns, threads, Reader::kDirect, files.counters);
  if (profile) return profile;
  const ForeignName foreign = foreign_file(file.path);
  if (foreign.problem.empty()) return profile.error().as(Exit::kFailed);
  return Error{foreign.problem, Exit::kFailed}.at(file.path.string()).advise(foreign.remedy);
}

Result<Profile::View> view_in_steps(const Profile& profile, const WindowSpec& window,
                                    const std::vector<std::string>& declared) {
  IterationSpec steps;
  steps.nvtx = declared;
  return profile.view(window, steps, Profile::Iterations::kSteps);
}

Status check_iterations(const Report& report, std::span<const std::string> declared) {
  if (declared.empty()) return ok();
  const auto wrong = std::ranges::find_if_not(declared, names_iterations);
  if (wrong != declared.end())
    return Error{fmt::format("'{}' names no iterations: expected {}", *wrong, kIterationName)}.at(*wrong);
  for (std::size_t i = 0; i < report.issues->rows; ++i) {
    if (report.issues->name[i].view() == "no_iterations")
      return Error{fmt::format("{}: {}", report.path.view(), report.issues->text[i].view())}.at(
          std::string(report.path.view()));
  }
  return ok();
}

}  // namespace assay
