#include "rows.hpp"

namespace assay::step_items {
namespace {

Table item_table(const std::vector<Item>& items) {
  Table table(std::string(kItemRows), "Items of the steps");
  table.column("kind", "", items, [](const Item& i) { return static_cast<std::int64_t>(i.key.kind); });
  each_column([&](const char* name, const char* unit, const auto& of) {
    table.column(name, unit, items, [&](const Item& item) { return of(item); });
  });
  return table;
}

}  // namespace

void emit_rows(const RunMeasure& run, ReportSink& sink) {
  const std::vector<const RunMeasure*> one{&run};
  Table about(std::string(kRunRows), "The run");
  about.column("source", "", one, [](const auto* r) { return r->step_source; })
      .column("word", "", one, [](const auto* r) { return r->step_word; })
      .column("range", "", one, [](const auto* r) { return r->step_name; })
      .column("devices", "", one, [](const auto* r) { return r->devices; })
      .column("launch_calls", "1", one, [](const auto* r) { return r->launch_calls.all; })
      .column("graph_launches", "1", one, [](const auto* r) { return r->launch_calls.graphs; });
  sink.study_rows(about);
  Table steps(std::string(kStepRows), "Steps");
  steps.add("time", "ns", run.step_times);
  sink.study_rows(steps);
  sink.study_rows(item_table(run.items));
  Table waits(std::string(kWaitRows), "Calls that wait for the device");
  waits.column("path", "", run.waits, &WaitingCall::path)
      .column("name", "", run.waits, &WaitingCall::name)
      .column("count", "1", run.waits, &WaitingCall::count)
      .column("host", "ns", run.waits, &WaitingCall::host);
  sink.study_rows(waits);
  Table phases(std::string(kPhaseRows), "Phases of the steps"), times(std::string(kPhaseTimeRows), "Times of phases");
  phases.column("path", "", run.phases, &Phase::path)
      .column("gpu", "ns", run.phases, &Phase::gpu)
      .column("launches", "1", run.phases, &Phase::launches)
      .column("count", "1", run.phases, [](const Phase& p) { return p.times.size(); });
  std::vector<std::int64_t> all;
  for (const Phase& phase : run.phases) all.insert(all.end(), phase.times.begin(), phase.times.end());
  times.add("time", "ns", std::move(all));
  sink.study_rows(phases);
  sink.study_rows(times);
  Table launches(std::string(kLaunchRows), "Launches of the middle step");
  launches.column("item", "1", run.launches, [](std::uint32_t item) { return item; });
  sink.study_rows(launches);
}

}  // namespace assay::step_items
