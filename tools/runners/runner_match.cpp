#include "runners/runner_match.hpp"

#include <algorithm>
#include <set>

#include "catalog/recorded_run.hpp"
#include "load/report_names.hpp"

namespace assay {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::string_view folder_of(std::string_view path) { return path.substr(0, path.size() - last_part(path).size()); }

/// Name of the run that a file is of: that of all windows of a recorded one.
std::string_view run_stem(const FileList& list, std::size_t f) {
  const std::string_view run = property_text(list.files[f], kWindowOf);
  return run.empty() ? stem_of(last_part(list.absolute[f])) : run;
}

std::string run_path(const FileList& list, std::size_t f) {
  return std::string(folder_of(list.absolute[f])) + std::string(run_stem(list, f));
}

/// Whether "a/b" matches "x/a/b.sqlite", but not "xa/b.sqlite".
bool is_path_of(const std::string& whole, std::string_view name) {
  if (!whole.ends_with(name)) return false;
  return whole.size() == name.size() || whole[whole.size() - name.size() - 1] == '/';
}

bool may_be_a_report(const FoundFile& file) {
  return is_report(file.kind) || file.kind == FileKind::kUnreadable || !file.problem.empty();
}

/// One run, with all its files; several runs are reported as ambiguous.
RunnerMatch match_of(const FileList& list, const std::vector<std::size_t>& files) {
  std::set<std::string> runs;
  for (const std::size_t f : files) runs.insert(run_path(list, f));
  if (runs.size() < 2) return {files, {}};
  RunnerMatch match;
  for (const std::size_t f : files) match.ambiguous.push_back(list.files[f].name);
  return match;
}

}  // namespace

RunnerMatcher::RunnerMatcher(const Question& question, const FileList& list, const QuestionCatalog& catalog,
                             const std::string& folder)
    : question_(question), list_(list) {
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    if (!may_be_a_report(list.files[f]) || !lies_in(list.absolute[f], folder)) continue;
    by_stem_[run_stem(list, f)].push_back(f);
  }
  for (const CatalogEntry& entry : catalog.entries) {
    const bool usable = entry.role == ReportRole::kQuestion && is_report(list.files[entry.file].kind);
    if (!usable || !lies_in(list.absolute[entry.file], folder)) continue;
    std::vector<std::size_t> named;
    Values values;
    for (const LabelOfReport& value : entry.labels) {
      const bool says = value.origin == LabelOrigin::kName && !question.labels.labels[value.label].descriptive;
      if (!says) continue;
      named.push_back(value.label);
      values.emplace_back(value.label, value.text);
    }
    if (!named.empty()) by_labels_[named][values].push_back(entry.file);
  }
}

RunnerMatch RunnerMatcher::match_by_name(const RunnerEntry& entry) const {
  std::string_view name = entry.name;
  while (name.ends_with('/')) name.remove_suffix(1);
  while (name.starts_with("./")) name.remove_prefix(2);
  const std::string_view stem = stem_of(last_part(name));
  const auto at = by_stem_.find(stem);
  if (name.empty() || at == by_stem_.end()) return {};
  const std::string path = std::string(folder_of(name)) + std::string(stem);
  std::vector<std::size_t> files;
  for (const std::size_t f : at->second) {
    if (is_path_of(run_path(list_, f), path)) files.push_back(f);
  }
  return match_of(list_, files);
}

RunnerMatch RunnerMatcher::match_by_labels(const RunnerEntry& entry, const std::vector<LabelOfReport>& given) const {
  const bool named = !entry.name.empty() && parse_name(question_.labels, last_part(entry.name)).problems.empty();
  if (named) return {};
  std::vector<std::size_t> files;
  for (const auto& [labels, reports] : by_labels_) {
    Values values;
    for (const LabelOfReport& value : given) {
      if (std::binary_search(labels.begin(), labels.end(), value.label)) values.emplace_back(value.label, value.text);
    }
    const auto at = reports.find(values);
    if (at != reports.end()) files.insert(files.end(), at->second.begin(), at->second.end());
  }
  std::sort(files.begin(), files.end());
  return match_of(list_, files);
}

}  // namespace assay
