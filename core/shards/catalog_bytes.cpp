#include "shards/catalog_bytes.hpp"

#include <algorithm>
#include <type_traits>

#include "cache/bytes.hpp"
#include "files/utf8.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

using cache::ByteReader;
using cache::ByteWriter;

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

// One list of members a structure serves both ways; each binds all members, so that one added later does not compile
// until it is kept too. Writing changes nothing, but binds as reading does.

struct Writing {
  ByteWriter& bytes;
  void number(std::uint64_t& value) { bytes.number(value); }
  void integer(std::int64_t& value) { bytes.integer(value); }
  void real(double& value) { bytes.real(value); }
  void flag(bool& value) { bytes.flag(value); }
  void text(std::string& value) { bytes.text(value); }
  void below(std::uint64_t& value, std::uint64_t) { bytes.number(value); }
  template <class T>
  void size(const std::vector<T>& values) {
    bytes.number(values.size());
  }
  void reals(std::vector<double>& values) { bytes.reals(values); }
  void kind(FileKind& value) { bytes.text(value.word); }
};

struct Reading {
  ByteReader& bytes;
  void number(std::uint64_t& value) { value = bytes.number(); }
  void integer(std::int64_t& value) { value = bytes.integer(); }
  void real(double& value) { value = bytes.real(); }
  void flag(bool& value) { value = bytes.flag(); }
  void text(std::string& value) {
    value = bytes.text();
    if (!is_utf8(value)) bytes.refuse();
  }
  void below(std::uint64_t& value, std::uint64_t end) { value = bytes.below(end); }
  template <class T>
  void size(std::vector<T>& values) {
    values.resize(bytes.count());
  }
  void reals(std::vector<double>& values) { values = bytes.reals(); }
  void kind(FileKind& value) {
    const std::optional<FileKind> known = kind_of(bytes.text());
    if (!known) return bytes.refuse();
    value = *known;
  }
};

template <class To>
void visit(To& to, std::string& value) {
  to.text(value);
}
template <class To>
void visit(To& to, std::uint64_t& value) {
  to.number(value);
}

template <class To, class Enum>
void visit_enum(To& to, Enum& value, Enum last) {
  auto number = static_cast<std::uint64_t>(value);
  to.below(number, static_cast<std::uint64_t>(last) + 1);
  value = static_cast<Enum>(number);
}

template <class To, class T>
void visit(To& to, std::vector<T>& values);
template <class To, class A, class B>
void visit(To& to, std::pair<A, B>& value);

template <class To>
void visit(To& to, std::optional<double>& value) {
  bool there = value.has_value();
  double number = value.value_or(0);
  to.flag(there);
  to.real(number);
  value = there ? std::optional(number) : std::nullopt;
}

template <class To>
void visit(To& to, FoundFile& file) {
  auto& [name, path, kind, size, problem, environment] = file;
  static_cast<void>(path);
  visit(to, name);
  to.kind(kind);
  visit(to, size);
  visit(to, problem);
  visit(to, environment);
}

template <class To>
void visit(To& to, LabelOfReport& value) {
  auto& [label, text, order, origin] = value;
  visit(to, label);
  visit(to, text);
  to.real(order);
  visit_enum(to, origin, LabelOrigin::kReport);
}

template <class To>
void visit(To& to, ContestedLabel& contested) {
  auto& [label, file] = contested;
  visit(to, label);
  visit(to, file);
}

template <class To>
void visit(To& to, CatalogEntry& entry) {
  auto& [file, role, labels, problems, counters, contested] = entry;
  visit(to, file);
  visit_enum(to, role, ReportRole::kNoise);
  visit(to, labels);
  visit(to, problems);
  visit(to, counters);
  visit(to, contested);
}

template <class To>
void visit(To& to, MatrixCell& cell) {
  auto& [labels, reason] = cell;
  visit(to, labels);
  visit(to, reason);
}

template <class To>
void visit(To& to, Completeness& count) {
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
void visit(To& to, FoundSheet& sheet) {
  auto& [spec, file, labels, problems] = sheet;
  visit(to, spec);
  visit(to, file);
  visit(to, labels);
  visit(to, problems);
}

template <class To>
void visit(To& to, RunnerRun& run) {
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
void visit(To& to, FoundIssue& issue) {
  auto& [file, name, severity, count, text] = issue;
  visit(to, file);
  visit(to, name);
  visit_enum(to, severity, Severity::kError);
  to.integer(count);
  visit(to, text);
}

template <class To>
void visit(To& to, QuestionCatalog& question) {
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
void visit(To& to, SheetCell& cell) {
  auto& [text, numbers] = cell;
  visit(to, text);
  to.reals(numbers);
}

template <class To>
void visit(To& to, SheetTexts::NamedColumn& column) {
  auto& [name, cells] = column;
  visit(to, name);
  visit(to, cells);
}

template <class To>
void visit(To& to, SheetTexts& table) {
  auto& [columns, rows, problems] = table;
  visit(to, columns);
  visit(to, rows);
  visit(to, problems);
}

template <class To>
void visit(To& to, OwnedSheet& sheet) {
  auto& [id, path, labels, table] = sheet;
  visit(to, id);
  visit(to, path);
  visit(to, labels);
  visit(to, table);
}

template <class To>
void visit(To& to, SheetProblem& problem) {
  auto& [path, sentence] = problem;
  visit(to, path);
  visit(to, sentence);
}

template <class To>
void visit(To& to, Sheets& sheets) {
  auto& [read, problems] = sheets;
  visit(to, read);
  visit(to, problems);
}

template <class To>
void visit(To& to, FoundStudy& study) {
  auto& [catalog, sheets] = study;
  auto& [files, questions] = catalog;
  visit(to, files);
  visit(to, questions);
  visit(to, sheets);
}

template <class To, class A, class B>
void visit(To& to, std::pair<A, B>& value) {
  visit(to, value.first);
  visit(to, value.second);
}

template <class To, class T>
void visit(To& to, std::vector<T>& values) {
  to.size(values);
  for (T& value : values) visit(to, value);
}

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

std::string to_bytes(const FoundStudy& study) {
  ByteWriter bytes;
  Writing to{bytes};
  FoundStudy copy = study;  // `visit` binds for reading too
  visit(to, copy);
  return bytes.bytes();
}

std::optional<FoundStudy> study_from_bytes(std::string_view bytes) {
  static_assert(std::is_same_v<std::size_t, std::uint64_t>, "numbers are kept as they are");
  ByteReader reader(bytes);
  Reading from{reader};
  FoundStudy study;
  visit(from, study);
  if (!reader.complete() || !sound(study)) return std::nullopt;
  return study;
}

}  // namespace assay
