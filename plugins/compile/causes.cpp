#include "causes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "assay/words.hpp"

namespace assay::compile {
namespace {

/// Guards by a mark in their text, and what to do.
struct GuardKind {
  std::string_view mark, what, remedy;
};
constexpr GuardKind kGuards[] = {
    {"size mismatch", "size of {} changes",
     "torch._dynamo.mark_dynamic on that dimension, or torch.compile(dynamic=True)"},
    {"stride mismatch", "strides of {} change", "pass it contiguous"},
    {"rank mismatch", "number of dimensions of {} changes", "pass it with equal dimensions"},
    {"dtype mismatch", "type of {} changes", "pass one type"},
    {"requires_grad mismatch", "requires_grad of {} changes", "pass it with equal requires_grad"},
    {"device index mismatch", "device of {} changes", "pass it on one device"},
    {"dispatch key set mismatch", "kind of {} changes", "call it in one mode (inference, autocast, subclass)"},
    {"___stack", "value of .item() is compiled in", "torch._dynamo.config.capture_scalar_outputs = True"},
    {"check_obj_id", "another object than before", "make the object once, outside of the function"},
    {"lobal_state", "grad mode, autocast or another global setting changes", "call it in one mode"},
    {"GLOBAL_STATE", "grad mode, autocast or another global setting changes", "call it in one mode"},
    {".size()", "size changes", "torch._dynamo.mark_dynamic on that dimension, or torch.compile(dynamic=True)"},
    {"len(", "length changes", "pass equal lengths"},
    {" == ", "value is compiled in", "keep the value in a tensor"}};

/// Reasons of graph breaks, shorter.
std::string short_reason(const std::string& text) {
  constexpr std::string_view kMarks[] = {".item()", "graph_break()", "print", ".data_ptr", ".numpy()", ".tolist()"};
  for (const std::string_view mark : kMarks) {
    if (text.find(mark) != std::string::npos) return std::string(mark);
  }
  constexpr std::size_t kMaxReason = 48;
  return text.size() <= kMaxReason ? text : text.substr(0, kMaxReason - 3) + "...";
}

/// "'x' at index 0 (8, then 12)" of "tensor 'x' size mismatch at index 0. expected 8, actual 12".
std::string subject_of(std::string_view guard) {
  const auto between = [&](std::string_view begin, std::string_view end) {
    const std::size_t from = guard.find(begin);
    if (from == std::string_view::npos) return std::string_view();
    const std::string_view rest = guard.substr(from + begin.size());
    return rest.substr(0, std::min(rest.find(end), rest.size()));
  };
  std::string text(between("tensor ", " "));
  if (const std::string_view index = between("at index ", "."); !index.empty()) text.append(" at index ").append(index);
  if (const std::string_view now = between("actual ", " "); !now.empty())
    text += filled(" ({}, then {})", {between("expected ", ","), now});
  return text;
}

Cause recompile_cause(const Recompile& row) {
  Cause cause{.kind = CauseKind::kRecompile, .what = row.guard, .place = row.place};
  const auto* const kind = std::ranges::find_if(
      kGuards, [&](const GuardKind& one) { return row.guard.find(one.mark) != std::string::npos; });
  if (kind == std::end(kGuards)) return cause;
  cause.remedy = kind->remedy;
  const bool has_place = kind->what.find("{}") != std::string_view::npos;
  cause.what = has_place ? filled(kind->what, {subject_of(row.guard)}) : filled("{}: {}", {kind->what, row.guard});
  return cause;
}

/// The line after which a function goes on; kNoCell: it is a function of the program.
std::int64_t resumed_line(std::string_view function) {
  const std::size_t at = function.rfind("_at_");
  if (!function.starts_with("torch_dynamo_resume_in_") || at == std::string_view::npos) return kNoCell;
  return std::atoll(std::string(function.substr(at + 4)).c_str());
}

/// Whether all finished compilations of the functions with that break have it.
bool breaks_every_call(const CompileLog& log, const std::string& place) {
  std::set<std::string> functions;
  std::set<std::int64_t> broken;
  for (const GraphBreak& row : log.breaks) {
    if (row.place != place || row.compilation == kNone) continue;
    broken.insert(row.compilation);
    functions.insert(log.compilations[static_cast<std::size_t>(row.compilation)].function);
  }
  for (std::size_t c = 0; c < log.compilations.size(); ++c) {
    const Compilation& row = log.compilations[c];
    if (row.finished != 0 && functions.contains(row.function) && !broken.contains(static_cast<std::int64_t>(c)))
      return false;
  }
  return !broken.empty() && !place.empty();
}

std::string in_one_line(std::string text) {
  constexpr std::size_t kMaxFailure = 160;
  std::ranges::replace(text, '\n', ' ');
  return text.size() <= kMaxFailure ? text : text.substr(0, kMaxFailure - 3) + "...";
}

class CauseFinder {
 public:
  explicit CauseFinder(const CompileLog& log) : log_(log) {}

  CauseList find() {
    for (const GraphBreak& row : log_.breaks) {
      const std::size_t cause = row_of({.kind = CauseKind::kBreak,
                                        .what = "graph break: " + short_reason(row.reason),
                                        .place = row.place,
                                        .remedy = row.hint});
      ++list_.causes[cause].count;
      if (row.line != kNoCell) by_line_.try_emplace(row.line, cause);
    }
    std::map<std::int64_t, const Recompile*> recompiles;
    for (const Recompile& row : log_.recompiles) recompiles.try_emplace(row.compilation, &row);
    for (std::size_t c = 0; c < log_.compilations.size(); ++c) {
      const auto recompile = recompiles.find(static_cast<std::int64_t>(c));
      add(log_.compilations[c], recompile == recompiles.end() ? nullptr : recompile->second);
    }
    for (Cause& cause : list_.causes)
      cause.in_every_call = cause.kind == CauseKind::kBreak && breaks_every_call(log_, cause.place);
    return sorted();
  }

 private:
  void add(const Compilation& row, const Recompile* recompile) {
    const auto line = by_line_.find(resumed_line(row.function));
    std::size_t cause = 0;
    if (!row.failure.empty()) {
      cause = row_of({.kind = CauseKind::kFailure, .what = in_one_line(row.failure), .place = row.place});
    } else if (recompile != nullptr) {
      Cause found = recompile_cause(*recompile);
      if (found.place.empty()) found.place = row.place;
      cause = row_of(found);
    } else if (line != by_line_.end()) {
      cause = line->second;
    } else {
      cause = row_of({.what = row.function.empty() ? std::string("a compilation ahead of time")
                                                   : filled("first call of {}", {row.function}),
                      .place = row.place});
    }
    list_.of.push_back(cause);
    if (list_.causes[cause].kind != CauseKind::kBreak) ++list_.causes[cause].count;
    list_.causes[cause].time += row.time();
    list_.time += row.time();
    list_.graphs += row.graphs != 0 ? 1U : 0U;
    list_.failed += row.failure.empty() ? 0U : 1U;
  }

  /// Sizes of one name change in all functions that it is passed to, so only their breaks have a place.
  std::size_t row_of(const Cause& cause) {
    const auto at = std::ranges::find_if(list_.causes, [&](const Cause& one) {
      return one.kind == cause.kind && one.what == cause.what &&
             (one.place == cause.place || cause.kind == CauseKind::kRecompile);
    });
    if (at != list_.causes.end()) return static_cast<std::size_t>(at - list_.causes.begin());
    list_.causes.push_back(cause);
    return list_.causes.size() - 1;
  }

  CauseList sorted() {
    std::vector<std::size_t> order(list_.causes.size()), place(list_.causes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t c) { return list_.causes[c].time; });
    std::vector<Cause> causes;
    for (const std::size_t c : order) {
      place[c] = causes.size();
      causes.push_back(std::move(list_.causes[c]));
    }
    list_.causes = std::move(causes);
    for (std::size_t& cause : list_.of) cause = place[cause];
    return std::move(list_);
  }

  const CompileLog& log_;
  CauseList list_;
  std::map<std::int64_t, std::size_t> by_line_;
};

}  // namespace

CauseList causes_of(const CompileLog& log) { return CauseFinder(log).find(); }

}  // namespace assay::compile
