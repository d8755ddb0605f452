#include "shards/catalog_bytes.hpp"

#include <algorithm>

#include "cache/both_ways.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

/// The kind of that word; nothing where no format and none of the others has it.
std::optional<FileKind> kind_of(std::string_view word) {
  for (const load::Format* format : load::formats()) {
    if (format->kind.word == word) return format->kind;
  }
  for (const FileKind& kind : {FileKind::kOtherSqlite, FileKind::kSidecar, FileKind::kUnreadable}) {
    if (kind.word == word) return kind;
  }
  return std::nullopt;
}

}  // namespace

using cache::EitherWay;

void visit(cache::Writing& to, const FileKind& kind) { to.bytes.text(kind.word); }
void visit(cache::Reading& to, FileKind& kind) {
  const std::optional<FileKind> known = kind_of(to.bytes.text());
  to.require(known.has_value());
  if (known) kind = *known;
}

template <class To>
void visit(To& to, EitherWay<FoundFile> auto& file) {
  auto& [name, path, kind, size, problem, environment] = file;
  static_cast<void>(path);
  visit(to, name);
  visit(to, kind);
  visit(to, size);
  visit(to, problem);
  visit(to, environment);
}

template <class To>
void visit(To& to, EitherWay<LabelOfReport> auto& value) {
  auto& [label, text, order, origin] = value;
  visit(to, label);
  visit(to, text);
  to.real(order);
  to.one_of(origin, LabelOrigin::kReport);
}

template <class To>
void visit(To& to, EitherWay<ContestedLabel> auto& contested) {
  auto& [label, file] = contested;
  visit(to, label);
  visit(to, file);
}

template <class To>
void visit(To& to, EitherWay<CatalogEntry> auto& entry) {
  auto& [file, role, labels, problems, counters, contested] = entry;
  visit(to, file);
  to.one_of(role, ReportRole::kNoise);
  visit(to, labels);
  visit(to, problems);
  visit(to, counters);
  visit(to, contested);
}

template <class To>
void visit(To& to, EitherWay<MatrixCell> auto& cell) {
  auto& [labels, reason] = cell;
  visit(to, labels);
  visit(to, reason);
}

template <class To>
void visit(To& to, EitherWay<Completeness> auto& count) {
  auto& [expected, present, missing, duplicate, unreadable, lacking, unexpected] = count;
  visit(to, expected);
  visit(to, present);
  visit(to, missing);
  visit(to, duplicate);
  visit(to, unreadable);
  visit(to, lacking);
  visit(to, unexpected);
}

template <class To>
void visit(To& to, EitherWay<FoundSheet> auto& sheet) {
  auto& [spec, file, labels, problems] = sheet;
  visit(to, spec);
  visit(to, file);
  visit(to, labels);
  visit(to, problems);
}

template <class To>
void visit(To& to, EitherWay<RunnerRun> auto& run) {
  auto& [name, source, own, files, labels, failure, process_s, pass_s, per_second, batches] = run;
  visit(to, name);
  visit(to, source);
  to.flag(own);
  visit(to, files);
  visit(to, labels);
  visit(to, failure);
  visit(to, process_s);
  visit(to, pass_s);
  visit(to, per_second);
  visit(to, batches);
}

template <class To>
void visit(To& to, EitherWay<FoundIssue> auto& issue) {
  auto& [file, name, severity, count, text] = issue;
  visit(to, file);
  visit(to, name);
  to.one_of(severity, Severity::kError);
  to.integer(count);
  visit(to, text);
}

template <class To>
void visit(To& to, EitherWay<QuestionCatalog> auto& question) {
  auto& [entries, sheets, completeness, notes, runs, issues, left_out] = question;
  visit(to, entries);
  visit(to, sheets);
  visit(to, completeness);
  visit(to, notes);
  visit(to, runs);
  visit(to, issues);
  visit(to, left_out);
}

template <class To>
void visit(To& to, EitherWay<SheetCell> auto& cell) {
  auto& [text, numbers] = cell;
  visit(to, text);
  to.reals(numbers);
}

template <class To>
void visit(To& to, EitherWay<SheetTexts::NamedColumn> auto& column) {
  auto& [name, cells] = column;
  visit(to, name);
  visit(to, cells);
}

template <class To>
void visit(To& to, EitherWay<SheetTexts> auto& table) {
  auto& [columns, rows, problems] = table;
  visit(to, columns);
  visit(to, rows);
  visit(to, problems);
}

template <class To>
void visit(To& to, EitherWay<OwnedSheet> auto& sheet) {
  auto& [id, path, labels, table] = sheet;
  visit(to, id);
  visit(to, path);
  visit(to, labels);
  visit(to, table);
}

template <class To>
void visit(To& to, EitherWay<SheetProblem> auto& problem) {
  auto& [path, sentence] = problem;
  visit(to, path);
  visit(to, sentence);
}

template <class To>
void visit(To& to, EitherWay<Sheets> auto& sheets) {
  auto& [read, problems] = sheets;
  visit(to, read);
  visit(to, problems);
}

template <class To>
void visit(To& to, EitherWay<FoundStudy> auto& study) {
  auto& [catalog, sheets] = study;
  auto& [files, questions] = catalog;
  visit(to, files);
  visit(to, questions);
  visit(to, sheets);
}

namespace {

/// Whether all numbers of files and labels are of something that is there; labels are the question's business.
bool sound(const FoundStudy& study) {
  const std::size_t files = study.catalog.files.size();
  const auto there = [&](std::size_t file) { return file < files; };
  if (study.sheets.size() != study.catalog.questions.size()) return false;
  return std::ranges::all_of(study.catalog.questions, [&](const QuestionCatalog& question) {
    return std::ranges::all_of(question.entries,
                               [&](const CatalogEntry& entry) {
                                 return there(entry.file) && std::ranges::all_of(entry.counters, there);
                               }) &&
           std::ranges::all_of(question.sheets, [&](const FoundSheet& sheet) { return there(sheet.file); }) &&
           std::ranges::all_of(question.runs, [&](const RunnerRun& run) {
             return there(run.source) && std::ranges::all_of(run.files, there);
           });
  });
}

}  // namespace

std::string to_bytes(const FoundStudy& study) { return cache::written(study); }

std::optional<FoundStudy> study_from_bytes(std::string_view bytes) {
  std::optional<FoundStudy> study = cache::read_back<FoundStudy>(bytes);
  if (study && !sound(*study)) study.reset();
  return study;
}

}  // namespace assay
