#include "pages.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "algo/page_sections.hpp"
#include "assay/words.hpp"

namespace assay::compile {
namespace {

constexpr std::size_t kMaxLogs = 16;

/// A compilation inside a step.
struct Stall {
  std::string step, what, place;
  std::int64_t time = 0;
};

/// A generated kernel, the lines it computes, and its launches in a profile.
struct KernelRow {
  std::string name, graph, place, code;
  std::int64_t count = kNoInteger, time = kNoInteger;
};

/// A profile of the process that wrote a log.
struct JoinedProfile {
  std::size_t report = 0;
  std::vector<Stall> stalls;
  std::vector<KernelRow> kernels;
};

/// Process ids are used again, so profiles of other weeks are not joined.
bool is_of_log(const CompileLog& log, std::int64_t process, std::int64_t time) {
  constexpr std::int64_t kHour = 3'600'000'000'000, kWeek = 7 * 24 * kHour;
  if (process != log.head.process || process < 0 || log.compilations.empty()) return false;
  const std::int64_t after = time - log.compilations.front().start;
  return after > -kHour && after < kWeek;
}

std::vector<KernelRow> kernels_of(const CompileLog& log) {
  std::vector<KernelRow> rows;
  std::set<std::pair<std::string, std::string>> known;
  for (const Kernel& row : log.kernels) {
    if (row.name.starts_with("triton_") && known.emplace(row.name, row.place).second)
      rows.push_back({row.name, {}, row.place, row.code});
  }
  return rows;
}

/// The kernel of a log that was launched: that of the same graph, else one of the same code; null: none.
const Kernel* kernel_of(const CompileLog& log, const KernelTime& launched) {
  const Kernel* same_code = nullptr;
  for (const Kernel& kernel : log.kernels) {
    if (kernel.name != launched.name) continue;
    const bool stated = !kernel.hash.empty() && !launched.hash.empty();
    if (stated && kernel.hash != launched.hash) continue;
    if (kernel.compilation != kNone &&
        log.compilations[static_cast<std::size_t>(kernel.compilation)].compile_id == launched.compile_id)
      return &kernel;
    if (stated && same_code == nullptr) same_code = &kernel;
  }
  return same_code;
}

class Pages {
 public:
  Pages(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink)
      : view_(view), logs_(logs), sink_(sink) {}

  void emit() {
    const std::vector<DivergingGraph> diverging = is_job() ? diverging_graphs(logs_) : std::vector<DivergingGraph>();
    const std::string line = headline(diverging);
    sink_.finding(
        {.role = FindingRole::kAnswer, .title = line, .text = line + ".", .effect = {}, .labels = {}, .evidence = {}});
    const bool only_logs = logs_.size() == view_.report_count();
    to_.page({}, only_logs ? line : std::string());
    if (!only_logs) {
      to_.section("torch.compile");
      to_.add_sentence(line + ".");
    }
    if (!diverging.empty()) add_diverging(diverging);
    if (logs_.size() > 1) add_logs();
    if (is_job())
      add_log(slowest());
    else
      for (std::size_t l = 0; l < std::min(logs_.size(), kMaxLogs); ++l) add_log(l);
    for (std::size_t l = 0; l < logs_.size(); ++l) {
      // A profile that the log joined has a headline of its own.
      const bool is_joined = view_.attribute(logs_[l].report, "fingerprint").has_value();
      to_.page(logs_[l].path, is_joined ? std::string() : first_line(logs_[l].log, logs_[l].causes));
      if (l < kMaxLogs) add_log(l);
    }
    to_.emit(sink_);
  }

 private:
  /// Whether all logs are of one job: each of another rank.
  [[nodiscard]] bool is_job() const {
    std::set<std::int64_t> ranks;
    for (const StudyLog& one : logs_) ranks.insert(one.log.head.rank);
    return logs_.size() > 1 && ranks.size() == logs_.size() && *ranks.begin() >= 0;
  }

  [[nodiscard]] std::size_t slowest() const {
    const auto at = std::ranges::max_element(logs_, {}, [](const StudyLog& one) { return one.causes.time; });
    return static_cast<std::size_t>(at - logs_.begin());
  }

  [[nodiscard]] std::string headline(const std::vector<DivergingGraph>& diverging) const {
    if (logs_.size() == 1) return first_line(logs_.front().log, logs_.front().causes);
    const StudyLog& one = logs_[slowest()];
    const std::string line = first_line(one.log, one.causes);
    if (!is_job()) return filled("{}: {}; and {}, below", {one.path, line, counted(logs_.size() - 1, "more log")});
    const std::string rank = std::to_string(one.log.head.rank);
    if (diverging.empty())
      return filled("{} ranks; rank {} compiles longest: {}", {std::to_string(logs_.size()), rank, line});
    std::string text = diverging_text(diverging.front());
    if (diverging.size() > 1) text += filled("; and {}, below", {counted(diverging.size() - 1, "more graph")});
    return text;
  }

  const char* kept(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

  void add_diverging(const std::vector<DivergingGraph>& graphs) {
    struct Group {
      std::string graph, ranks, collectives;
    };
    std::vector<Group> rows;
    for (const DivergingGraph& graph : graphs) {
      for (std::size_t g = 0; g < graph.ranks.size(); ++g)
        rows.push_back({graph.compile_id, ranks_text(graph.ranks[g]), listed(graph.collectives[g])});
    }
    Table table("schedules", "Collectives of graphs in which ranks disagree");
    table.column("graph", "", rows, &Group::graph)
        .column("ranks", "", rows, &Group::ranks)
        .column("collectives", "", rows, &Group::collectives);
    sink_.table(table);
    to_.section("Collectives of graphs in which ranks disagree",
                {.table = "schedules", .columns = "graph|ranks=|collectives"});
    to_.add_sentence("Ranks whose graphs call different collectives hang, or exchange the wrong tensors.");
  }

  void add_logs() {
    Table table("logs", "Logs of torch.compile");
    table.column("log", "", logs_, &StudyLog::path)
        .column("rank", "1", logs_, [](const StudyLog& one) { return one.log.head.rank; })
        .column("compiling", "ns", logs_, [](const StudyLog& one) { return one.causes.time; })
        .column("answer", "", logs_, [](const StudyLog& one) { return first_line(one.log, one.causes); });
    sink_.table(table);
    to_.section("Logs of torch.compile", {.table = "logs", .columns = "log|rank|compiling|answer", .rows = kMaxLogs});
  }

  void add_log(std::size_t l) {
    const StudyLog& one = logs_[l];
    if (one.log.compilations.empty()) return;
    const std::string number = l == 0 ? "" : "_" + std::to_string(l);
    add_causes(one, "causes" + number);
    add_compilations(one, "compilations" + number);
    bool is_joined = false;
    for (std::size_t report = 0; report < view_.report_count(); ++report) {
      const JoinedProfile joined = joined_profile(one, report);
      if (!joined.kernels.empty()) add_profile(joined, number + "_" + std::to_string(report));
      is_joined = is_joined || !joined.kernels.empty();
    }
    const std::vector<KernelRow> kernels = kernels_of(one.log);
    if (!kernels.empty() && !is_joined)
      add_kernels(kernels, "kernels" + number, "Triton kernels, and lines of the model");
  }

  /// A table is drawn on several pages.
  void add_table(const std::string& id, const Table& table) {
    if (emitted_.insert(id).second) sink_.table(table);
  }

  void add_causes(const StudyLog& one, const std::string& id) {
    to_.section("What to try");
    for (const Cause& cause : one.causes.causes) {
      if (cause.remedy.empty()) continue;
      // What follows a break is compiled without it too.
      to_.add_advice({.text = filled("{}: {}", {placed_text(cause), cause.remedy}),
                      .gain = cause.kind == CauseKind::kBreak
                                  ? filled("met {} times", {std::to_string(cause.count)})
                                  : time_text(static_cast<double>(cause.time)) + " of compiling"});
    }
    Table table(id, "Why it compiled");
    const auto& rows = one.causes.causes;
    table.column("what", "", rows, &Cause::what)
        .column("place", "", rows, &Cause::place)
        .column("count", "1", rows, [](const Cause& cause) { return std::int64_t(cause.count); })
        .column("time", "ns", rows, &Cause::time)
        .column("to do", "", rows, &Cause::remedy);
    add_table(id, table);
    to_.section("Why it compiled", {.table = kept(id), .columns = "what|place|count|time"});
    if (one.log.head.damaged > 0)
      to_.add_sentence(filled("{} of the log are damaged and left out.",
                              {counted(static_cast<std::size_t>(one.log.head.damaged), "entry")}));
  }

  void add_compilations(const StudyLog& one, const std::string& id) {
    Table table(id, "Compilations");
    const auto& rows = one.log.compilations;
    table.column("id", "", rows, &Compilation::compile_id)
        .column("function", "", rows, &Compilation::function)
        .column("place", "", rows, &Compilation::place)
        .column("time", "ns", rows, [](const Compilation& row) { return row.time(); })
        .column("backend", "ns", rows, &Compilation::backend)
        .column("triton", "ns", rows, &Compilation::triton)
        .column("autotuning", "ns", rows, &Compilation::autotuning)
        .column("cache", "", rows, &Compilation::graph_cache)
        .column("why", "", one.causes.of, [&](std::size_t cause) { return one.causes.causes[cause].what; });
    add_table(id, table);
    constexpr std::int64_t kMaxRows = 12;
    to_.section("Compilations", {.table = kept(id),
                                 .columns = "id|function|place|time|backend|triton|autotuning|cache",
                                 .rows = kMaxRows,
                                 .unknown_empty = true});
  }

  void add_kernels(const std::vector<KernelRow>& rows, const std::string& id, const std::string& title) {
    Table table(id, title);
    table.column("kernel", "", rows, &KernelRow::name).column("lines", "", rows, &KernelRow::place);
    const bool is_timed = rows.front().count != kNoInteger;
    if (is_timed)
      table.column("graph", "", rows, &KernelRow::graph)
          .column("launches", "1", rows, &KernelRow::count)
          .column("GPU time", "ns", rows, &KernelRow::time);
    table.column("code", "", rows, &KernelRow::code);
    add_table(id, table);
    constexpr std::int64_t kMaxRows = 15;
    to_.section(title, {.table = kept(id),
                        .columns = is_timed ? "kernel|graph|lines|launches|GPU time|code" : "kernel|lines|code",
                        .rows = kMaxRows});
  }

  [[nodiscard]] JoinedProfile joined_profile(const StudyLog& one, std::size_t report) const {
    JoinedProfile joined{report, {}, {}};
    const CompiledProfile profile = profile_from_rows(view_, report);
    for (const ProfileStep& step : profile.steps) {
      if (!is_of_log(one.log, step.process, step.start)) return joined;
      for (std::size_t c = 0; c < one.log.compilations.size(); ++c) {
        const Compilation& row = one.log.compilations[c];
        const std::int64_t time = std::min(row.end, step.end) - std::max(row.start, step.start);
        if (time <= 0) continue;
        joined.stalls.push_back({step.name,
                                 filled("compiling {} ({})", {row.function, one.causes.causes[one.causes.of[c]].what}),
                                 row.place, time});
      }
    }
    for (const KernelTime& sum : profile.kernels) {
      if (sum.process != one.log.head.process) continue;
      if (const Kernel* const row = kernel_of(one.log, sum))
        joined.kernels.push_back({sum.name, sum.compile_id, row->place, row->code, sum.count, sum.time});
    }
    std::ranges::stable_sort(joined.kernels, std::greater<>(), &KernelRow::time);
    return joined;
  }

  void add_profile(const JoinedProfile& joined, const std::string& number) {
    const std::string path(view_.path(joined.report));
    std::int64_t stalled = 0;
    for (const Stall& stall : joined.stalls) stalled += stall.time;
    if (!joined.stalls.empty()) {
      const std::string id = "stalls" + number;
      Table table(id, "Compiling inside steps");
      table.column("step", "", joined.stalls, &Stall::step)
          .column("what", "", joined.stalls, &Stall::what)
          .column("place", "", joined.stalls, &Stall::place)
          .column("time", "ns", joined.stalls, &Stall::time);
      add_table(id, table);
      to_.section(filled("{}: compiling inside steps, {}", {path, time_text(static_cast<double>(stalled))}),
                  {.table = kept(id), .columns = "step|time|place|what"});
    }
    if (emitted_.insert("fact" + number).second)
      sink_.fact("torch_compile.stall_ns", static_cast<double>(stalled), Dims().add("profile", path));
    add_kernels(joined.kernels, "kernels" + number, path + ": Triton kernels, and lines of the model");
  }

  const StudyView& view_;
  const std::vector<StudyLog>& logs_;
  StudySink& sink_;
  page::Sections to_;
  std::list<std::string> texts_;
  std::set<std::string> emitted_;
};

}  // namespace

std::vector<StudyLog> logs_of(const StudyView& view) {
  std::vector<StudyLog> logs;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    std::optional<CompileLog> log = log_from_rows(view, report);
    if (!log) continue;
    CauseList causes = causes_of(*log);
    logs.push_back({report, std::string(view.path(report)), std::move(*log), std::move(causes)});
  }
  return logs;
}

void emit_answer(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink) {
  Pages(view, logs, sink).emit();
}

bool emit_generated(const StudyView& view, StudySink& sink) {
  page::Sections to;
  std::list<std::string> ids;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    std::vector<KernelTime> rows = profile_from_rows(view, report).kernels;
    std::erase_if(rows, [](const KernelTime& row) { return row.file.empty(); });
    if (rows.empty()) continue;
    std::ranges::stable_sort(rows, std::greater<>(), &KernelTime::time);
    const std::string& id = ids.emplace_back("generated_" + std::to_string(report));
    Table table(id, "Kernels that torch.compile generated");
    table.column("kernel", "", rows, &KernelTime::name)
        .column("graph", "", rows, &KernelTime::compile_id)
        .column("launches", "1", rows, &KernelTime::count)
        .column("GPU time", "ns", rows, &KernelTime::time)
        .column("file", "", rows, &KernelTime::file);
    sink.table(table);
    constexpr std::int64_t kMaxRows = 6;
    to.page(std::string(view.path(report)), {});
    to.section("Kernels that torch.compile generated",
               {.table = id.c_str(), .columns = "kernel|graph?|launches|GPU time|file", .rows = kMaxRows});
    to.add_sentence("The lines of the model that they compute are in a log of the same run: TORCH_TRACE=FOLDER.");
  }
  if (!ids.empty()) to.emit(sink);
  return !ids.empty();
}

}  // namespace assay::compile
