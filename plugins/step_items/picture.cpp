#include "picture.hpp"

#include <algorithm>
#include <map>

#include "assay/algo/named_ranges.hpp"
#include "assay/algo/steps.hpp"
#include "assay/words.hpp"
#include "lanes.hpp"

namespace assay::step_items {
namespace {

/// The one of median length, of the process that launches most.
const step::Step* median_step(const step::Steps& steps) {
  std::map<std::uint32_t, std::int64_t> events;
  for (const step::Step& step : steps.kept) events[step.process] += step.device_events;
  if (events.empty()) return nullptr;
  const auto process = std::ranges::max_element(events, {}, [](const auto& of) { return of.second; })->first;
  std::vector<const step::Step*> own;
  for (const step::Step& step : steps.kept) {
    if (step.process == process) own.push_back(&step);
  }
  std::ranges::stable_sort(own, {}, [](const step::Step* s) { return s->time.end - s->time.start; });
  return own[(own.size() - 1) / 2];
}

}  // namespace

void emit_picture(const Report& report, const step::Steps& steps, const account::Account& account,
                  const NameRules& classes, ReportSink& sink) {
  const step::Step* const step = median_step(steps);
  if (step == nullptr) return;
  std::vector<Lane> lanes =
      lanes_of(report, account, *step, static_cast<std::size_t>(step - steps.kept.data()), classes);
  const std::int64_t length = step->time.end - step->time.start;
  merge(lanes, length);
  struct Row {
    const Lane* lane;
    const Piece* piece;
  };
  const std::string shown =
      steps.found() ? filled("--iterations '{}' --only {}", {folded_name(step->name), std::to_string(step->number + 1)})
                    : "";
  const Lane whole{step->name.empty() ? "the capture" : step->name,
                   "step",
                   {{0,
                     length,
                     length,
                     {},
                     shown,
                     steps.kept.size() > 1 ? "the median of " + std::to_string(steps.kept.size()) : ""}}};
  std::vector<Row> rows{{&whole, &whole.pieces.front()}};
  for (const Lane& lane : lanes) {
    for (const Piece& piece : lane.pieces) rows.push_back({&lane, &piece});
  }
  Table table("strip", "The median step");
  table.column("lane", "", rows, [](const Row& r) { return r.lane->name; })
      .column("role", "", rows, [](const Row& r) { return r.lane->role; })
      .column("start", "ns", rows, [](const Row& r) { return r.piece->start; })
      .column("duration", "ns", rows, [](const Row& r) { return r.piece->end - r.piece->start; })
      .column("time", "ns", rows, [](const Row& r) { return r.piece->time; })
      .column("kind", "", rows, [](const Row& r) { return r.piece->kind; })
      .column("label", "", rows, [](const Row& r) { return r.piece->label; })
      .column("detail", "", rows, [](const Row& r) { return r.piece->detail; });
  sink.table(table);
}

}  // namespace assay::step_items
