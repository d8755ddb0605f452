#include "shards/catalog_bytes.hpp"

#include <algorithm>

#include "cache/both_ways.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

/// The kind with that word; empty if it is neither a format nor one of the others.
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

constexpr LabelOrigin last_of(LabelOrigin) { return LabelOrigin::kReport; }
constexpr ReportRole last_of(ReportRole) { return ReportRole::kNoise; }
constexpr Severity last_of(Severity) { return Severity::kError; }

template <>
inline constexpr bool cache::kByHand<FileKind> = true;
template <>
inline constexpr bool cache::kByHand<FoundFile> = true;

void visit(cache::WriteVisitor& to, const FileKind& kind) { to.bytes.text(kind.word); }
void visit(cache::ReadVisitor& to, FileKind& kind) {
  const std::optional<FileKind> known = kind_of(to.bytes.text());
  to.require(known.has_value());
  if (known) kind = *known;
}

/// The location on this machine is not stored.
template <class To>
void visit(To& to, cache::EitherWay<FoundFile> auto& file) {
  auto& [name, path, kind, size, problem, environment, remedy, named, foretold] = file;
  static_cast<void>(path);
  static_cast<void>(named);
  static_cast<void>(foretold);
  visit(to, name);
  visit(to, kind);
  visit(to, size);
  visit(to, problem);
  visit(to, remedy);
  visit(to, environment);
}

namespace {

/// Whether all indices of files and labels are valid; labels are checked against the question elsewhere.
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
