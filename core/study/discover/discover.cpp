#include "discover/discover.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "algo/nearest.hpp"
#include "catalog/file_list.hpp"
#include "catalog/foreign.hpp"
#include "catalog/places.hpp"
#include "catalog/recorded_run.hpp"
#include "catalog/sidecars.hpp"
#include "discover/capture_files.hpp"
#include "discover/completeness.hpp"
#include "discover/counters.hpp"
#include "discover/select.hpp"
#include "files/did_you_mean.hpp"
#include "files/glob.hpp"
#include "files/same_content.hpp"
#include "load/report_names.hpp"
#include "runs/find_runs.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

using Folders = std::vector<std::string>;

/// " Did you mean 'rq3_compile'?" if a missing folder differs from a given one in a few letters. Names that differ only
/// in digits belong to different experiments.
std::string misspelled(const std::string& name, const std::vector<Tree>& given) {
  constexpr std::size_t kLettersPerMistake = 6;
  const auto letters = [](std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  };
  std::vector<std::string> near;
  for (const Tree& tree : given) {
    for (const std::string& below : tree.folders) {
      const std::string own = fs::path(below).filename().string();
      const bool close = edit_distance(name, own) <= std::max<std::size_t>(1, name.size() / kLettersPerMistake);
      if (!own.empty() && close && letters(own) != letters(name)) near.push_back(own);
    }
  }
  return did_you_mean(name, near);
}

/// Folders of [reports] and [noise] of one question.
struct QuestionFolders {
  Folders folders;  ///< empty: all of --reports
  Folders noise;
  std::vector<std::string> notes;
};

/// Whether the tree is a recording, which has folders of questions only if it is of several.
bool is_recording(const Tree& tree) {
  std::error_code failed;
  return fs::exists(tree.canonical / kRecordJournal, failed);
}

QuestionFolders folders_of(const Question& question, const std::vector<Tree>& given) {
  QuestionFolders meant;
  const std::string& folder = question.reports.folder;
  if (!folder.empty()) meant.folders = folders_named(folder, given);
  if (!folder.empty() && meant.folders.empty() && !std::ranges::all_of(given, is_recording)) {
    meant.notes.push_back(fmt::format(
        "[reports] folder '{}' was not found below --reports, so question '{}' was answered from all of --reports.",
        folder, question.id));
  }
  for (const std::string& name : question.noise_reports) {
    const Folders found = noise_folders(name, question, given);
    meant.noise.insert(meant.noise.end(), found.begin(), found.end());
    if (found.empty()) {
      meant.notes.push_back(
          fmt::format("The [noise] folder '{}' was not found below or beside --reports, nor from the folder of {}, so "
                      "less is known about how much repeat runs differ.",
                      name, question.file.string()));
    }
  }
  for (const Tree& tree : given) {
    for (const std::string& link : tree.circles) {
      meant.notes.push_back("The link " + (tree.root / link).string() +
                            " leads to a folder that holds --reports itself, so it was not followed.");
    }
  }
  return meant;
}

/// Walks the [noise] folders outside of --reports.
void walk_noise(const std::vector<QuestionFolders>& meant, std::vector<Tree>& trees) {
  const std::size_t given = trees.size();
  std::set<std::string> walked;
  for (const QuestionFolders& m : meant) {
    for (const std::string& folder : m.noise) {
      const bool inside = std::any_of(trees.begin(), trees.begin() + static_cast<std::ptrdiff_t>(given),
                                      [&](const Tree& tree) { return lies_in(folder, tree.canonical.native()); });
      if (!inside && walked.insert(folder).second) trees.push_back(walk(folder, named_like_a_report));
    }
  }
}

bool in_any(const std::string& file, const Folders& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) { return lies_in(file, folder); });
}

bool any_matches(const std::vector<std::string>& globs, const std::string& path) {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return glob_matches(glob, path); });
}

/// Whether a file is in the folders of the question.
bool lies_in_question(const FileList& list, std::size_t file, const QuestionFolders& meant) {
  return list.given[file] != 0 && (meant.folders.empty() || in_any(list.absolute[file], meant.folders));
}

/// Role of a file in a question; empty if it has none.
std::optional<ReportRole> role_of(const FileList& list, std::size_t file, const Question& question,
                                  const QuestionFolders& meant) {
  const ReportSelection& reports = question.reports;
  const bool selected = lies_in_question(list, file, meant) &&
                        (reports.include.empty() || any_matches(reports.include, list.below[file])) &&
                        !any_matches(reports.exclude, list.below[file]);
  if (selected) return ReportRole::kQuestion;
  if (in_any(list.absolute[file], meant.noise)) return ReportRole::kNoise;
  return std::nullopt;
}

bool expected_to_be_a_report(const FoundFile& file) {
  return is_report(file.kind) || file.kind == FileKind::kUnreadable || !file.problem.empty();
}

CatalogEntry entry_of(std::size_t index, const FoundFile& file, ReportRole role, const Question& question) {
  ParsedName name = parse_name(question.labels, named_path(file));
  // Patterns of a user may contain the capture number.
  if (!name.problems.empty() && !property_text(file, kCaptureName).empty())
    name = parse_name(question.labels, file.path.native());
  if (role == ReportRole::kNoise) return {index, role, std::move(name.labels), {}};
  if (!is_report(file.kind)) return {index, role, std::move(name.labels), {}};  // has a worse problem already
  // A partly understood name would make the run pass for a repeat of another.
  if (!name.problems.empty()) name.labels.clear();
  return {index, role, std::move(name.labels), std::move(name.problems)};
}

/// "px 448 where that says px 224": differing labels of two entries, without descriptive ones; empty if none differs.
/// Those of `other` become contested by the file of that name.
std::string differing_claims(const CatalogEntry& entry, CatalogEntry& other, const std::string& name,
                             const Question& question) {
  std::string out;
  for (const LabelOfReport& own : entry.labels) {
    const LabelSpec& spec = question.labels.labels[own.label];
    const auto same = [&](const LabelOfReport& label) { return label.label == own.label; };
    const auto theirs = std::ranges::find_if(other.labels, same);
    if (spec.descriptive || theirs == other.labels.end() || theirs->text == own.text) continue;
    out += fmt::format("{}{} {} where that says {} {}", out.empty() ? "" : ", ", spec.name, own.text, spec.name,
                       theirs->text);
    other.contested.push_back({own.label, name});
  }
  return out;
}

/// "block_003/RUN" for a report written by `assay record`; else empty.
std::string run_in_recording(const fs::path& report) {
  const fs::path reports = recorded_reports(report);
  return reports.empty() ? std::string() : report.lexically_relative(reports).generic_string();
}

/// Maps each entry to the one that is kept among those with equal bytes: one of the question before one of [noise],
/// then the first name. Runs of a recording under two names are two runs even with equal bytes, since the journal has a
/// start and end for each; a report outside of recordings with the bytes of such a run is a copy.
std::vector<std::size_t> kept_entries(const std::vector<CatalogEntry>& entries, const std::vector<FoundFile>& files,
                                      const std::vector<std::size_t>& content) {
  std::map<std::size_t, std::vector<std::size_t>> alike;
  for (std::size_t e = 0; e < entries.size(); ++e) alike[content[entries[e].file]].push_back(e);
  std::vector<std::size_t> kept(entries.size());
  for (const auto& [same, members] : alike) {
    std::vector<std::string> runs;
    std::map<std::string, std::size_t> first;  // by run
    for (const std::size_t e : members) {
      runs.push_back(members.size() > 1 ? run_in_recording(files[entries[e].file].path) : std::string());
      const auto [at, fresh] = first.emplace(runs.back(), e);
      const bool better = entries[at->second].role == ReportRole::kNoise && entries[e].role == ReportRole::kQuestion;
      if (!fresh && better) at->second = e;
    }
    for (std::size_t m = 0; m < members.size(); ++m)
      kept[members[m]] = runs[m].empty() ? first.rbegin()->second : first[runs[m]];
  }
  return kept;
}

void drop_duplicates(QuestionCatalog& catalog, const Question& question, const std::vector<FoundFile>& files,
                     const std::vector<std::size_t>& content) {
  const std::vector<std::size_t> kept = kept_entries(catalog.entries, files, content);
  std::vector<CatalogEntry> entries;
  for (std::size_t e = 0; e < catalog.entries.size(); ++e) {
    const std::size_t file = catalog.entries[e].file;
    if (kept[e] == e) continue;
    catalog.completeness.duplicate.push_back(files[file].name);
    CatalogEntry& other = catalog.entries[kept[e]];
    const bool both_asked = catalog.entries[e].role == ReportRole::kQuestion && other.role == ReportRole::kQuestion;
    const std::string claims =
        both_asked ? differing_claims(catalog.entries[e], other, files[file].name, question) : std::string();
    if (claims.empty()) continue;
    catalog.issues.push_back(
        {files[file].name, "two_claims", Severity::kWarning, 0,
         fmt::format("It is a copy of {} but claims {}: at most one of the two names is right. That file was read, but "
                     "it is not compared unless the trace confirms its labels. Remove the copy with the wrong name.",
                     files[other.file].name, claims)});
  }
  for (std::size_t e = 0; e < catalog.entries.size(); ++e) {
    if (kept[e] == e) entries.push_back(std::move(catalog.entries[e]));
  }
  catalog.entries = std::move(entries);
}

/// Values that differ between the ranks of a job are not labels of the job.
void drop_labels_within_jobs(QuestionCatalog& catalog, const Question& question, const std::vector<FoundFile>& files) {
  std::map<std::string_view, std::vector<CatalogEntry*>> jobs;
  for (CatalogEntry& entry : catalog.entries) {
    const std::string_view job = property_text(files[entry.file], kJobName);
    if (!job.empty()) jobs[job].push_back(&entry);
  }
  const auto value_of = [](const CatalogEntry& entry, std::size_t label) {
    const auto at = std::ranges::find(entry.labels, label, &LabelOfReport::label);
    return at == entry.labels.end() ? std::string() : at->text;
  };
  for (const auto& [job, ranks] : jobs) {
    for (std::size_t label = 0; label < question.labels.labels.size(); ++label) {
      const auto same = [&](const CatalogEntry* rank) {
        return value_of(*rank, label) == value_of(*ranks.front(), label);
      };
      if (question.labels.labels[label].rank || std::ranges::all_of(ranks, same)) continue;
      for (CatalogEntry* rank : ranks)
        std::erase_if(rank->labels, [&](const LabelOfReport& value) { return value.label == label; });
    }
  }
}

/// Texts without declared values sort bytewise; `order` is the rank among those of the question.
void number_texts(QuestionCatalog& catalog, const Question& question) {
  std::map<std::size_t, std::set<std::string>> texts;
  const auto open = [&](std::size_t label) {
    const LabelSpec& spec = question.labels.labels[label];
    return spec.type == LabelType::kText && spec.values.empty();
  };
  for (const CatalogEntry& entry : catalog.entries) {
    for (const LabelOfReport& value : entry.labels) texts[value.label].insert(value.text);
  }
  for (CatalogEntry& entry : catalog.entries) {
    for (LabelOfReport& value : entry.labels) {
      const std::set<std::string>& all = texts[value.label];
      if (open(value.label)) value.order = static_cast<double>(std::distance(all.begin(), all.find(value.text)));
    }
  }
}

void find_sheets(const Question& question, const FileList& list, const QuestionFolders& meant,
                 QuestionCatalog& catalog) {
  for (std::size_t s = 0; s < question.sheets.size(); ++s) {
    const SheetSpec& spec = question.sheets[s];
    const std::size_t before = catalog.sheets.size();
    for (std::size_t f = 0; f < list.files.size(); ++f) {
      if (!lies_in_question(list, f, meant) || !any_matches(spec.files, list.below[f])) continue;
      ParsedName name = parse_name({spec.patterns, {}, question.labels.labels}, list.files[f].path.native());
      catalog.sheets.push_back({s, f, std::move(name.labels), std::move(name.problems)});
    }
    if (catalog.sheets.size() == before) {
      catalog.notes.push_back(fmt::format(
          "No file of the sheet '{}' was found next to the profiles of question '{}', so what needs it is missing.",
          spec.id, question.id));
    }
  }
}

/// Files of the question that say how runs went: those in whose folder, or below, reports of the question lie.
std::vector<SidecarSource> sidecars_of(const Question& question, const FileList& list, const QuestionFolders& meant,
                                       const QuestionCatalog& catalog) {
  std::vector<SidecarSource> sources;
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    if (list.files[f].kind != FileKind::kSidecar || !any_matches(question.runner.files, list.below[f])) continue;
    const bool own = lies_in_question(list, f, meant);
    const std::string folder = fs::path(list.absolute[f]).parent_path().native();
    const bool speaks = std::ranges::any_of(
        catalog.entries, [&](const CatalogEntry& entry) { return lies_in(list.absolute[entry.file], folder); });
    if (own || speaks) sources.push_back({f, own});
  }
  return sources;
}

QuestionCatalog catalog_of(const Question& question, const QuestionFolders& meant, const FileList& list,
                           const std::vector<std::size_t>& content, SidecarReader* sidecars) {
  QuestionCatalog catalog;
  const auto considered = [&](std::size_t f) {
    return !any_matches(question.reports.exclude, list.below[f]) &&
           (lies_in_question(list, f, meant) || in_any(list.absolute[f], meant.noise));
  };
  const CounterFiles counters(question, list, considered);
  const CaptureFiles captures(list, considered);
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const FoundFile& file = list.files[f];
    const std::optional<ReportRole> role = role_of(list, f, question, meant);
    if (!role || !expected_to_be_a_report(file) || counters.belongs_to_another(f) || captures.belongs_to_another(f))
      continue;
    if (const std::string_view job = property_text(file, kCompanionName); !job.empty()) {
      catalog.notes.push_back(fmt::format(
          "'{}' is of the host alone and belongs to the job of '{}'; it is not a run of its own.", file.name, job));
      continue;
    }
    catalog.entries.push_back(entry_of(f, file, *role, question));
    if (!is_report(file.kind) && role == ReportRole::kQuestion) catalog.completeness.unreadable.push_back(file.name);
  }
  drop_duplicates(catalog, question, list.files, content);
  if (sidecars != nullptr) sidecars->apply(question, list, sidecars_of(question, list, meant, catalog), catalog);
  counters.join(catalog);
  captures.join(catalog);
  drop_labels_within_jobs(catalog, question, list.files);
  add_run_notes(list.files, catalog);
  number_texts(catalog, question);
  count_expected(question, list.files, catalog);
  find_sheets(question, list, meant, catalog);
  catalog.notes.insert(catalog.notes.begin(), meant.notes.begin(), meant.notes.end());
  const auto unclear =
      std::ranges::count_if(catalog.entries, [](const CatalogEntry& entry) { return !entry.name_problems.empty(); });
  if (unclear > 0)
    catalog.notes.push_back("Profiles whose names are not fully understood (" + std::to_string(unclear) +
                            ") have no labels and are not compared.");
  return catalog;
}

/// Only reports can be duplicates, and files named one by one never are.
std::vector<SizedFile> sizes_of(const FileList& list, const FileMemory* memory) {
  std::vector<SizedFile> sizes;
  for (const FoundFile& file : list.files) {
    const bool compared = is_report(file.kind) && !file.named;
    sizes.push_back({file.path, file.size, compared});
    if (memory != nullptr && compared) sizes.back().digest = memory->digest(file.path);
  }
  return sizes;
}

/// A file named by the user is expected to be a profile, whatever its name.
void expect_named(FileList& list) {
  for (FoundFile& file : list.files) {
    if (!file.named || expected_to_be_a_report(file)) continue;
    file.kind = FileKind::kUnreadable;
    const ForeignName foreign = foreign_file(file.path);
    file.remedy = foreign.problem.empty() ? "expected " + expected_reports() + "." : foreign.remedy;
    const char* const what = file.size == 0 ? "This file is empty" : "This is not a profile";
    file.problem = (foreign.problem.empty() ? what : foreign.problem) + "; " + file.remedy;
  }
}

}  // namespace

Result<Catalog> discover(const std::vector<Question>& questions, std::span<const fs::path> places,
                         const std::function<void(std::size_t, std::size_t)>& looked, const FileMemory* memory,
                         const std::atomic<bool>* stop) {
  if (places.empty()) return Error{"no profiles were given"}.advise("name a folder of them with --reports DIR.");
  Result<std::vector<Tree>> trees = trees_at(places);
  if (!trees) return trees.error();
  const std::size_t given = trees->size();
  std::vector<QuestionFolders> meant;
  for (const Question& question : questions) {
    meant.push_back(folders_of(question, *trees));
    const std::string& folder = question.reports.folder;
    if (folder.empty() || !meant.back().folders.empty()) continue;
    if (const std::string guess = misspelled(folder, *trees); !guess.empty())
      return Error{fmt::format("{}: [reports] folder '{}' was not found below --reports.{}", question.file.string(),
                               folder, guess)}
          .at(question.file.string());
  }
  walk_noise(meant, *trees);

  const auto stopped = [&] { return stop != nullptr && *stop; };
  const Error interruption = Error{"interrupted", Exit::kInterrupted}.advise("nothing was written");
  FileList list = list_files(*trees, given, looked, memory, stop);
  if (stopped()) return interruption;
  expect_named(list);
  std::vector<RunFacts> facts = find_runs(list, memory, stop);
  if (stopped()) return interruption;
  bool any = false;
  for (std::size_t f = 0; f < list.files.size(); ++f)
    any = any || (list.given[f] != 0 && expected_to_be_a_report(list.files[f]));
  if (!any) return no_report_in(places);
  const std::vector<SizedFile> sizes = sizes_of(list, memory);
  std::vector<std::size_t> content = first_with_same_content(sizes);
  for (std::size_t f = 0; f < content.size(); ++f) {  // two ranks may have equal files; a copy is not analyzed
    if (property_text(list.files[f], "rank") != property_text(list.files[content[f]], "rank")) content[f] = f;
    if (content[f] != f && memory != nullptr && !sizes[f].digest) memory->learn(sizes[f].path);
  }
  Catalog catalog;
  const std::unique_ptr<SidecarReader> sidecars = sidecar_reader();
  for (std::size_t q = 0; q < questions.size(); ++q)
    catalog.questions.push_back(catalog_of(questions[q], meant[q], list, content, sidecars.get()));
  catalog.files = std::move(list.files);
  catalog.facts = std::move(facts);
  return catalog;
}

}  // namespace assay
