#include "pages.hpp"

#include <algorithm>

#include "algo/page_sections.hpp"
#include "assay/words.hpp"
#include "phases.hpp"

namespace assay::start_phases {
namespace {

/// A row of the table: a phase, or a part of one.
struct PhaseRow {
  std::string phase, evidence;
  std::int64_t time = 0;
};

/// Compilations of all logs; ns since the epoch.
std::vector<StartCompilation> all_compilations(const StudyView& view) {
  std::vector<StartCompilation> all;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    const std::vector<StartCompilation> rows = compilations_from_rows(view, report);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// Those of the profile's process while it was recorded, on its clock.
std::vector<StartCompilation> compilations_in(const std::vector<StartCompilation>& all, const StartMarks& marks) {
  std::vector<StartCompilation> found;
  for (StartCompilation row : all) {
    if (marks.origin == kNone || row.process != marks.process) continue;
    row.start -= marks.origin;
    row.end -= marks.origin;
    if (row.start >= marks.begin && row.start < marks.ready) found.push_back(std::move(row));
  }
  std::ranges::sort(found, {}, &StartCompilation::end);
  return found;
}

std::vector<PhaseRow> rows_of(const std::vector<Phase>& phases) {
  std::vector<PhaseRow> rows;
  for (const Phase& phase : phases) {
    rows.push_back({phase.name, phase.evidence, phase.time()});
    for (const PhasePart& part : phase.parts) rows.push_back({"  of it", part.what, part.time});
  }
  return rows;
}

/// A profile: its start, or why it shows none.
struct ReportStart {
  std::size_t report = 0;
  std::string path, line;
  std::string missing;  ///< why there are no phases
  std::int64_t time = 0;
  std::vector<Phase> phases;
  std::string table;
  bool is_without_log = false;  ///< there are logs of torch.compile, of other processes or times
};

/// Profiles with device work, longest start first, those without one last.
std::vector<ReportStart> starts_of(const StudyView& view) {
  std::vector<ReportStart> starts;
  const std::vector<StartCompilation> all = all_compilations(view);
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    FoundStart found = start_from_rows(view, report);
    ReportStart one{report, std::string(view.path(report)), {}, std::move(found.missing), 0, {}, {}, false};
    if (found.start) {
      const std::vector<StartCompilation> compilations = compilations_in(all, found.start->marks);
      one.phases = phases_of(*found.start, compilations);
      one.line = start_line(found.start->marks, one.phases);
      one.time = found.start->marks.ready - found.start->marks.begin;
      one.table = "phases_" + std::to_string(report);
      one.is_without_log = !all.empty() && compilations.empty();
    }
    if (found.start || !one.missing.empty()) starts.push_back(std::move(one));
  }
  std::ranges::stable_sort(starts, std::greater<>(), &ReportStart::time);
  return starts;
}

void add_phases(const ReportStart& start, page::Sections& to) {
  to.section("Start of the process", {.table = start.table.c_str(), .columns = "phase|time|what the profile shows"});
  for (const Phase& phase : start.phases) {
    if (!phase.missing.empty()) to.add_sentence(filled("Not known of '{}': {}.", {phase.name, phase.missing}));
  }
  if (start.is_without_log)
    to.add_sentence("Logs of torch.compile next to it are of other processes or times, so they are not used.");
}

void emit_tables(const std::vector<ReportStart>& starts, std::size_t known, StudySink& sink) {
  for (const ReportStart& start : starts) {
    if (start.phases.empty()) continue;
    const std::vector<PhaseRow> rows = rows_of(start.phases);
    Table table(start.table, filled("Phases of the start of '{}'", {start.path}));
    table.column("phase", "", rows, &PhaseRow::phase)
        .column("time", "ns", rows, &PhaseRow::time)
        .column("what the profile shows", "", rows, &PhaseRow::evidence);
    sink.table(table);
  }
  if (known < 2) return;
  Table table("starts", "Starts of processes, longest first");
  table.column("report", "", starts, &ReportStart::path)
      .column("time to start", "ns", starts,
              [](const ReportStart& start) { return start.phases.empty() ? kNoInteger : start.time; })
      .column("phases", "", starts,
              [](const ReportStart& start) { return start.phases.empty() ? start.missing : start.line; });
  sink.table(table);
}

/// The page of the whole folder.
void add_common(const std::vector<ReportStart>& starts, std::size_t known, page::Sections& to) {
  const ReportStart& first = starts.front();
  if (known == 0) {
    to.page({}, starts.size() == 1 ? "No start of a process is in this profile: " + first.missing
                                   : filled("No start of a process is in these {}; '{}': {}",
                                            {counted(starts.size(), "profile"), first.path, first.missing}));
  } else if (known == 1) {
    to.page({}, first.line);
    add_phases(first, to);
  } else {
    to.page({},
            filled("{} starts of processes; the longest, '{}': {}", {std::to_string(known), first.path, first.line}));
    to.section("Starts of processes", {.table = "starts", .columns = "report|time to start|phases"});
  }
}

}  // namespace

bool emit_pages(const StudyView& view, bool leads, StudySink& sink) {
  const std::vector<ReportStart> starts = starts_of(view);
  const auto known = static_cast<std::size_t>(
      std::ranges::count_if(starts, [](const ReportStart& start) { return !start.phases.empty(); }));
  emit_tables(starts, known, sink);
  page::Sections to;
  if (leads && !starts.empty()) add_common(starts, known, to);
  for (const ReportStart& start : starts) {
    // Next to an account of steps the start is not what was asked.
    if (!leads && !view.attribute(start.report, "start.answer")) continue;
    to.page(start.path, !leads                 ? std::string()
                        : start.phases.empty() ? "No start of a process is in this profile: " + start.missing
                                               : start.line);
    if (!start.phases.empty()) add_phases(start, to);
  }
  for (std::size_t report = 0; leads && report < view.report_count(); ++report) {
    const std::size_t compilations = compilations_from_rows(view, report).size();
    if (compilations > 0)
      to.page(std::string(view.path(report)), filled("A log of {} by torch.compile; the page of its process has them",
                                                     {counted(compilations, "compilation")}));
  }
  to.emit(sink);
  if (known == 0) return false;
  const std::string& answer = starts.front().line;
  sink.finding({.role = FindingRole::kAnswer,
                .title = answer,
                .text = answer + ".",
                .effect = {},
                .labels = {},
                .evidence = {}});
  return true;
}

}  // namespace assay::start_phases
