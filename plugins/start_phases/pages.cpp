#include "pages.hpp"

#include <algorithm>
#include <list>

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

/// Compilations of the profile's process while it was recorded, on its clock.
std::vector<StartCompilation> compilations_in(const StudyView& view, const StartMarks& marks) {
  std::vector<StartCompilation> found;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    for (StartCompilation& row : compilations_from_rows(view, report)) {
      row.start -= marks.origin;
      row.end -= marks.origin;
      if (row.process == marks.process && row.start >= marks.begin && row.start < marks.ready)
        found.push_back(std::move(row));
    }
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

/// The start of one report.
struct ReportStart {
  std::size_t report = 0;
  std::string path, line;
  std::int64_t time = 0;
  std::vector<Phase> phases;
};

std::vector<ReportStart> starts_of(const StudyView& view) {
  std::vector<ReportStart> starts;
  for (std::size_t report = 0; report < view.report_count(); ++report) {
    const std::optional<Start> start = start_from_rows(view, report);
    if (!start) continue;
    std::vector<Phase> phases = phases_of(*start, compilations_in(view, start->marks));
    std::string line = start_line(start->marks, phases);
    starts.push_back({report, std::string(view.path(report)), std::move(line), start->marks.ready - start->marks.begin,
                      std::move(phases)});
  }
  std::ranges::stable_sort(starts, std::greater<>(), &ReportStart::time);
  return starts;
}

void add_phases(const ReportStart& start, page::Sections& to, const char* table) {
  to.section("Start of the process", {.table = table, .columns = "phase|time|what the profile shows"});
  for (const Phase& phase : start.phases) {
    if (!phase.missing.empty()) to.add_sentence(filled("Not known of '{}': {}.", {phase.name, phase.missing}));
  }
}

}  // namespace

bool emit_pages(const StudyView& view, StudySink& sink) {
  const std::vector<ReportStart> starts = starts_of(view);
  if (starts.empty()) return false;
  const std::string& answer = starts.front().line;
  sink.finding({.role = FindingRole::kAnswer,
                .title = answer,
                .text = answer + ".",
                .effect = {},
                .labels = {},
                .evidence = {}});
  page::Sections to;
  std::list<std::string> tables;
  for (const ReportStart& start : starts) {
    const std::string& id = tables.emplace_back("phases_" + std::to_string(start.report));
    const std::vector<PhaseRow> rows = rows_of(start.phases);
    Table table(id, filled("Phases of the start of '{}'", {start.path}));
    table.column("phase", "", rows, &PhaseRow::phase)
        .column("time", "ns", rows, &PhaseRow::time)
        .column("what the profile shows", "", rows, &PhaseRow::evidence);
    sink.table(table);
  }
  // An overview has headlines of its own.
  const bool alone = !view.attribute(starts.front().report, "fingerprint");
  to.page({}, alone ? answer : std::string());
  if (alone && starts.size() == 1) add_phases(starts.front(), to, tables.front().c_str());
  if (alone && starts.size() > 1) {
    Table table("starts", "Starts of processes, longest first");
    table.column("report", "", starts, &ReportStart::path)
        .column("time to start", "ns", starts, &ReportStart::time)
        .column("answer", "", starts, &ReportStart::line);
    sink.table(table);
    to.section("Starts of processes", {.table = "starts", .columns = "report|time to start|answer"});
  }
  for (auto [start, table] = std::pair(starts.begin(), tables.begin()); start != starts.end(); ++start, ++table) {
    // Next to an account of steps the start is not what was asked.
    if (!alone && !view.attribute(start->report, "start.answer")) continue;
    to.page(start->path, alone ? start->line : std::string());
    add_phases(*start, to, table->c_str());
  }
  to.emit(sink);
  return true;
}

}  // namespace assay::start_phases
