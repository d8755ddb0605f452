#include "look/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "load/columns.hpp"
#include "load/format.hpp"
#include "load/issue.hpp"
#include "look/rules.hpp"
#include "look/sections.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/provenance.hpp"
#include "runs/find_runs.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kMissing = 5, kNamed = 3;

/// Why a report could not be read.
Page unread_page(const FoundFile& file, const std::vector<Skip>& skips) {
  const std::string end = "; " + file.remedy;
  if (!is_report(file.kind) && !file.remedy.empty() && file.problem.size() > end.size())
    return {
        file.name, file.problem.substr(0, file.problem.size() - end.size()), {{"What to do", {}, {}, {file.remedy}}}};
  PageSection why{"What is wrong", {}, {}};
  for (const Skip& skip : skips) why.sentences.push_back(skip.reason);
  if (why.sentences.empty()) why.sentences.push_back(file.problem.empty() ? "No reason was given" : file.problem);
  return {file.name, "This profile could not be read", {std::move(why)}};
}

/// Iterations that nobody asked for, and data that only another profiler records, are not mentioned.
bool worth_saying(const Skip& skip) { return skip.cause == SkipCause::kOther; }

bool fills(const load::Format& format, ColumnId column) {
  return std::ranges::find(format.notes.fills, column) != format.notes.fills.end();
}

/// Whether files of a kind can contain device work; one that records another side of a run lacks nothing without it.
bool can_hold_kernels(FileKind kind) {
  const load::Format* const format = load::format_of(kind);
  return format == nullptr || format->notes.fills.empty() || fills(*format, col::kernels);
}

/// Whether only files of other kinds have a column.
bool belongs_to_others(FileKind kind, std::string_view column) {
  const auto infos = column_infos();
  const auto info = std::ranges::find(infos, column, &ColumnInfo::name);
  const load::Format* const format = load::format_of(kind);
  if (info == infos.end() || format == nullptr || format->notes.fills.empty() || fills(*format, info->id)) return false;
  return std::ranges::any_of(load::formats(), [&](const load::Format* other) { return fills(*other, info->id); });
}

/// Whether a command records a device of that name; one that is not known may be any.
bool records(std::string_view command, std::string_view device) {
  constexpr std::string_view kNvidia[] = {"NVIDIA", "Tesla", "GeForce", "Quadro", "GRID", "TITAN"};
  const bool nvidia =
      device.empty() || std::ranges::any_of(kNvidia, [&](auto brand) { return device.find(brand) != device.npos; });
  const bool rocm = device.find("AMD") != device.npos || device.find("Instinct") != device.npos;
  return nvidia || (!command.starts_with("ncu ") && (rocm || command.find("CUDA") == command.npos));
}

/// How the profiler of this kind of file records a column on that device, as a sentence; empty: the format has no
/// advice.
std::string capture_advice(FileKind kind, std::string_view device, std::string_view column) {
  const load::Format* const format = load::format_of(kind);
  if (format == nullptr) return {};
  for (const load::CaptureAdvice& advice : format->notes.captures) {
    const ColumnInfo* const info = find_column(advice.column);
    if (info != nullptr && info->name == column && records(advice.command, device))
      return std::string(advice.what) + ": " + std::string(advice.command);
  }
  return {};
}

/// Columns that analyzers need or want and the report lacks, by name.
std::vector<std::string> lacked_columns(const ReportResult& report, FileKind kind) {
  std::vector<std::string> columns;
  if (!can_hold_kernels(kind)) return columns;
  for (const Skip& skip : report.skips) {
    if (worth_saying(skip) && !skip.lacks.empty()) columns.push_back(skip.lacks);
  }
  for (const AbsentWant& want : report.absent) columns.push_back(want.column);
  return columns;
}

/// Without " (option 'x')": analyzers have options in questions, which `look` does not read.
std::string without_options(std::string text) {
  for (std::size_t at = text.find(" (option"); at != std::string::npos; at = text.find(" (option", at))
    text.erase(at, std::min(text.find(')', at), text.size() - 1) - at + 1);
  return text;
}

/// Adds a sentence once, with metrics in words.
void add_sentence(PageSection& part, std::string_view text, const MetricWords& words) {
  std::string sentence = without_options(words.in_text(text));
  if (std::ranges::find(part.sentences, sentence) == part.sentences.end())
    part.sentences.push_back(std::move(sentence));
}

/// Problems of the report.
std::optional<PageSection> caveats_part(const ReportResult& report, const FoundFile& file, const MetricWords& words) {
  PageSection part{"Caveats", {}, {}};
  if (!file.problem.empty()) add_sentence(part, file.problem, words);
  for (const OwnedIssue& issue : report.issues) {
    if (issue.severity != Severity::kInfo) add_sentence(part, issue.text, words);
  }
  return part.sentences.empty() ? std::nullopt : std::optional(std::move(part));
}

/// Data missing from the report, and how to record it; shares of what did not occur.
std::optional<PageSection> missing_part(const ReportResult& report, const FoundFile& file, const MetricWords& words) {
  const FileKind kind = file.kind;
  PageSection part{"Not known", {}, {}};
  const auto add = [&](std::string_view text) { look::add_sentence(part, text, words); };
  if (kind.counters) {
    std::string one_of;  // formats whose profiles contain the run around its kernels
    for (const load::Format* format : load::formats()) {
      if (!format->kind.counters && fills(*format, col::calls) && !format->names.one.empty())
        one_of.append(one_of.empty() ? "" : " or ").append(format->names.one);
    }
    add("the run: steps, idle times and copies need " + one_of +
        "; under the same name in the same folder it gets these counters");
    return part;
  }
  const bool expects_work = can_hold_kernels(kind);
  const std::string_view device = property_text(file, "device");
  for (const std::string& column : lacked_columns(report, kind)) {
    if (const std::string advice = capture_advice(kind, device, column); !advice.empty()) add(advice);
  }
  for (const Skip& skip : report.skips) {
    if (!expects_work || !worth_saying(skip) || !capture_advice(kind, device, skip.lacks).empty()) continue;
    if (belongs_to_others(kind, skip.lacks)) continue;
    // "needs kernels.registers: ..." begins with the id of the column.
    const std::string needs = "needs " + skip.lacks + ": ";
    add(std::string_view(skip.reason).substr(skip.lacks.empty() ? 0 : needs.size()));
  }
  if (part.sentences.empty()) return std::nullopt;
  part.sentences.resize(std::min(part.sentences.size(), kMissing));
  return part;
}

/// Why a report could not be read; empty if it was.
std::string damage(const RunResult& run, std::size_t entry) {
  const ReportResult& report = run.analysis.questions.front()[entry];
  if (report.loaded) return {};
  const FoundFile& file = run.catalog->files[run.catalog->questions.front().entries[entry].file];
  if (!file.problem.empty()) return file.problem;
  return report.skips.empty() ? "it could not be read" : report.skips.front().reason;
}

PageSection damaged_part(const RunResult& run) {
  const QuestionCatalog& catalog = run.catalog->questions.front();
  PageSection part{"Not read", {{"profile"}, {"why, and what to do"}}, {}};
  for (std::size_t e = 0; e < catalog.entries.size(); ++e) {
    const std::string why = damage(run, e);
    if (!why.empty()) part.rows.push_back({run.catalog->files[catalog.entries[e].file].name, why});
  }
  return part;
}

/// Issues of a job as opposed to those of its profiles, which stand on the page of each.
bool is_of_job(const OwnedIssue& issue) {
  constexpr std::string_view kNames[] = {"missing_ranks", "not_one_job", "rank_conflict", "unlike_collectives"};
  return std::ranges::find(kNames, issue.name) != std::end(kNames);
}

/// Problems of jobs, such as ranks without a profile, which make numbers of the others doubtful.
PageSection jobs_part(const RunResult& run) {
  const QuestionCatalog& catalog = run.catalog->questions.front();
  const MetricWords words(run.questions.front().metrics);
  PageSection part{"Caveats", {}, {}};
  std::vector<std::string> lone;  // ranks that no job was found for
  for (std::size_t e = 0; e < catalog.entries.size(); ++e) {
    const FoundFile& file = run.catalog->files[catalog.entries[e].file];
    const bool in_job = !property_text(file, kJobName).empty();
    for (const OwnedIssue& issue : run.analysis.questions.front()[e].issues) {
      if (in_job && is_of_job(issue)) add_sentence(part, issue.text, words);
    }
    const std::string_view world = property_text(file, "world_size"), rank = property_text(file, "rank");
    if (!in_job && !rank.empty() && !world.empty() && world != "1")
      lone.push_back(fmt::format("{} (rank {} of {})", file.name, rank, world));
  }
  part.sentences.resize(std::min(part.sentences.size(), kMissing));
  if (!lone.empty())
    part.sentences.push_back(fmt::format(
        "{} of single ranks, whose jobs have no other rank here: {}; who waits for whom needs all ranks of a job",
        counted(lone.size(), "profile"), some_of(lone, kNamed)));
  return part;
}

/// Names of profiles in commands become their paths, so that they can be run from here.
void name_paths(const RunResult& run, Page& page) {
  const auto name_path = [&](std::string& command) {
    for (const CatalogEntry& entry : run.catalog->questions.front().entries) {
      const FoundFile& file = run.catalog->files[entry.file];
      const std::size_t at = command.find(file.name);
      const auto is_edge = [&](std::size_t c) {
        return c >= command.size() || command[c] == ' ' || command[c] == '\'';
      };
      if (at == std::string::npos || !is_edge(at - 1) || !is_edge(at + file.name.size())) continue;
      command.replace(at, file.name.size(), file.path.string());
      return;
    }
  };
  for (PageSection& part : page.parts) {
    name_path(part.timeline);
    for (PageAdvice& advice : part.advice) name_path(advice.command);
  }
}

/// Where profiles were recorded; equal environments share a row.
PageSection made_part(const RunResult& run) {
  constexpr std::string_view kNames[] = {"device", "clock", "driver", "cuda", "profiler"};
  std::map<std::vector<std::string>, std::size_t> counts;
  for (const std::vector<OwnedAttribute>* attributes : attributes_of(run.question(0))) {
    std::vector<std::string> row;
    for (const std::string_view name : kNames) {
      const auto at = std::ranges::find(*attributes, name, &OwnedAttribute::name);
      row.push_back(at == attributes->end() ? kNotKnown : at->value);
    }
    ++counts[row];
  }
  PageSection part{"What ran", {{"device"}, {"clock"}, {"driver"}, {"CUDA"}, {"profiler"}, {"profiles", true}}, {}};
  for (const auto& [row, count] : counts) {
    part.rows.push_back(row);
    part.rows.back().push_back(std::to_string(count));
  }
  return part;
}

}  // namespace

Page report_page(const RunResult& run, std::size_t entry, ReportRows& rows) {
  const QuestionResult& question = run.questions.front();
  const ReportResult& report = run.analysis.questions.front()[entry];
  const FoundFile& file = run.catalog->files[run.catalog->questions.front().entries[entry].file];
  if (!report.loaded) return unread_page(file, report.skips);
  Page page{file.name, "Nothing could be measured in this profile", {}};
  add_sections(question, &report, file.name, page, rows);
  name_paths(run, page);
  for (const char* name : {"device", "profiler"}) {
    const auto at = std::ranges::find(report.attributes, name, &OwnedAttribute::name);
    if (at != report.attributes.end()) page.about.push_back(at->value);
  }
  const MetricWords words(question.metrics);
  const auto doubt = std::ranges::find(report.issues, load::kDamagedTimes, &OwnedIssue::name);
  const auto cut = std::ranges::find(report.issues, "truncated", &OwnedIssue::name);
  if (cut != report.issues.end()) {
    page.headline = fmt::format("{} {}", cut->text, page.headline);
    // What the rest lacks may be in what is lost.
    if (!page.parts.empty() && !page.parts.front().advice.empty()) page.parts.erase(page.parts.begin());
  }
  if (doubt != report.issues.end()) page.headline = doubt->text + ". " + page.headline;
  for (std::optional<PageSection> part :
       {rules_part(file), caveats_part(report, file, words), missing_part(report, file, words)}) {
    if (part) page.parts.push_back(std::move(*part));
  }
  return page;
}

Page folder_page(const RunResult& run, const std::string& title, RowOrder& order) {
  const QuestionResult& result = run.questions.front();
  Page page{title, "No profile could be read", {}};
  PageSection made = made_part(run);
  const std::vector<std::string>& copies = result.completeness.duplicate;
  if (!copies.empty())
    made.sentences.push_back(counted(copies.size(), "file") +
                             " left out as copies of other files: " + some_of(copies, kNamed));
  if (PageSection damaged = damaged_part(run); !damaged.rows.empty()) page.parts.push_back(std::move(damaged));
  const std::size_t own = page.parts.size() + (made.rows.empty() ? 1 : 0);
  ReportRows rows;
  add_sections(result, nullptr, {}, page, rows, &order);
  if (!made.rows.empty() || !made.sentences.empty()) page.parts.push_back(std::move(made));
  name_paths(run, page);
  if (PageSection jobs = jobs_part(run); !jobs.sentences.empty()) page.parts.push_back(std::move(jobs));
  if (page.parts.size() > own)
    page.parts.push_back(
        {"Next", {}, {}, {"one profile: assay look PROFILE", "what differs between them: assay init FOLDER"}});
  return page;
}

}  // namespace assay::look
