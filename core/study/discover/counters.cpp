#include "discover/counters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "files/glob.hpp"
#include "files/walk.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"

namespace assay {
namespace {

bool matches_any(const std::vector<std::string>& globs, const std::string& path) {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return glob_matches(glob, path); });
}

bool names_it(const Question& question, const std::string& below) {
  const auto names = [&](const auto& spec) { return matches_any(spec.files, below); };
  return std::ranges::any_of(question.sheets, names) || std::ranges::any_of(question.joins, names);
}

/// Whether a report has every label value in the CSV's name.
bool agree(const std::vector<LabelOfReport>& told, const std::vector<LabelOfReport>& report) {
  return std::ranges::all_of(told, [&](const LabelOfReport& label) {
    if (label.origin == LabelOrigin::kDefault) return true;
    return std::ranges::any_of(
        report, [&](const LabelOfReport& other) { return other.label == label.label && other.text == label.text; });
  });
}

/// Whether files of the kind are joined to the profile of the same run, and are profiles themselves without one.
bool joins_beside(FileKind kind) {
  const load::Format* format = is_report(kind) ? load::format_of(kind) : nullptr;
  return format != nullptr && format->beside;
}

/// Whether files of the kind that lie side by side are pages of one profile, which is no counters.
bool is_page(FileKind kind) {
  const load::Format* format = is_report(kind) && !kind.counters ? load::format_of(kind) : nullptr;
  return format != nullptr && format->pages;
}

void add(std::vector<std::size_t>& files, std::size_t file) {
  if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

}  // namespace

CounterFiles::CounterFiles(const Question& question, const FileList& list,
                           const std::function<bool(std::size_t)>& considered)
    : question_(question), list_(list), claimed_(list.files.size(), 0), considered_(list.files.size(), 0) {
  std::set<std::string> runs;
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const FileKind kind = list.files[f].kind;
    considered_[f] = considered(f) ? 1 : 0;
    if (is_report(kind) && !kind.counters && !joins_beside(kind)) runs.insert(run_of(f));
  }
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    if (is_unread_report(f) && runs.contains(run_of(f))) {
      claimed_[f] = 1;
      unread_of_run_[run_of(f)].push_back(f);
    }
    const FileKind kind = list.files[f].kind;
    if ((!kind.counters && !joins_beside(kind) && !is_page(kind)) || considered_[f] == 0) continue;
    if (names_it(question, list.below[f])) {
      claimed_[f] = 1;
      continue;
    }
    if (joins_beside(kind) && !runs.contains(run_of(f))) continue;  // a profile itself
    std::vector<std::size_t>& pages = of_run_[pages_of(f)];
    claimed_[f] = !pages.empty() || (!is_page(kind) && runs.contains(run_of(f))) ? 1 : 0;
    pages.push_back(f);
  }
}

bool CounterFiles::is_unread_report(std::size_t file) const {
  const FoundFile& found = list_.files[file];
  const load::Format* format = format_by_name(found.path);
  return considered_[file] != 0 && found.kind == FileKind::kUnreadable && format != nullptr && format->kind.counters;
}

std::string CounterFiles::run_of(std::size_t file) const {
  const std::filesystem::path path = list_.absolute[file];
  return (path.parent_path() / stem_of(path.filename().native())).native();
}

std::string CounterFiles::pages_of(std::size_t file) const {
  const FileKind kind = list_.files[file].kind;
  return is_page(kind) ? fmt::format("{}/{}", run_of(file), kind.word) : run_of(file);
}

void CounterFiles::join(QuestionCatalog& catalog) const {
  for (CatalogEntry& entry : catalog.entries) {
    if (!is_report(list_.files[entry.file].kind)) continue;
    const std::string run = run_of(entry.file);
    if (const auto unread = unread_of_run_.find(run); unread != unread_of_run_.end()) {
      for (const std::size_t f : unread->second)
        catalog.issues.push_back({list_.files[entry.file].name,
                                  std::string(format_by_name(list_.files[f].path)->kind.word) + "_report",
                                  Severity::kWarning, 1,
                                  fmt::format("'{}' is next to it: {}", list_.files[f].name, list_.files[f].problem)});
    }
    for (const std::string& of : {run, pages_of(entry.file)}) {
      const auto pages = of_run_.find(of);
      if (pages == of_run_.end()) continue;
      for (const std::size_t page : pages->second) {
        if (page != entry.file) add(entry.counters, page);
      }
    }
  }
  for (const JoinSpec& rule : question_.joins) join_by_rule(rule, catalog);
}

void CounterFiles::join_by_rule(const JoinSpec& rule, QuestionCatalog& catalog) const {
  bool any = false;
  for (std::size_t f = 0; f < list_.files.size(); ++f) {
    const FoundFile& file = list_.files[f];
    if (considered_[f] == 0 || !matches_any(rule.files, list_.below[f])) continue;
    any = true;
    const auto note = [&](const std::string& why) {
      catalog.notes.push_back(
          fmt::format("The file '{}' of a [[join]] could not be joined to a profile: {}", file.name, why));
    };
    if (!file.kind.counters && !joins_beside(file.kind) && !is_page(file.kind) &&
        !(is_report(file.kind) && file.kind.framework)) {
      note("it has neither counters nor operators, and its format joins no profile.");
      continue;
    }
    const ParsedName name = parse_name({rule.patterns, {}, question_.labels.labels}, file.path.native());
    if (!name.problems.empty()) {
      note(name.problems.front());
      continue;
    }
    bool joined = false;
    for (CatalogEntry& entry : catalog.entries) {
      const bool fits = entry.file != f && is_report(list_.files[entry.file].kind) &&
                        entry.role == ReportRole::kQuestion &&
                        (rule.reports.empty() || matches_any(rule.reports, list_.below[entry.file])) &&
                        agree(name.labels, entry.labels);
      if (fits) add(entry.counters, f);
      joined = joined || fits;
    }
    if (!joined) note("no profile has its labels and matches 'reports'.");
  }
  if (any) return;
  catalog.notes.push_back(
      fmt::format("No file of the [[join]] at {} was found next to the profiles of question '{}', so results that need "
                  "it are missing.",
                  rule.pos.str(), question_.id));
}

}  // namespace assay
