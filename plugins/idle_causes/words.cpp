#include "words.hpp"

#include <algorithm>
#include <numeric>

#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::idle {
namespace {

double share(const ReportIdle& r, Cause cause) { return r.times[static_cast<std::size_t>(cause)] / r.total(); }

/// Reports in which that cause takes the most idle time.
std::vector<const ReportIdle*> led_by(const std::vector<ReportIdle>& reports, Cause cause) {
  std::vector<const ReportIdle*> out;
  for (const ReportIdle& r : reports) {
    if (r.total() > 0 && r.largest() == cause) out.push_back(&r);
  }
  return out;
}

Finding finding_of(Cause cause, const std::vector<const ReportIdle*>& led, std::size_t all, const StudyView& view) {
  double low = 1, high = 0, idle_low = 1, idle_high = 0;
  const ReportIdle* most = led.front();
  Finding f;
  for (const ReportIdle* r : led) {
    low = std::min(low, share(*r, cause));
    high = std::max(high, share(*r, cause));
    idle_low = std::min(idle_low, r->total() / r->window);
    idle_high = std::max(idle_high, r->total() / r->window);
    if (r->total() / r->window > most->total() / most->window) most = r;
    f.evidence.insert(f.evidence.end(), r->evidence.begin(), r->evidence.end());
  }
  f.title = filled(
      "{} is the largest idle cause in {} ({} % of idle time)",
      {std::string(cause_words(cause)), counted_of(led.size(), all, "profile"), low_to_high(100 * low, 100 * high, 0)});
  f.text = filled("The device was idle for {} % of the window in them, most in {}.",
                  {low_to_high(100 * idle_low, 100 * idle_high, 0), view.path(most->report)});
  return f;
}

/// Share of the idle time from which a wait is mentioned in the text; the facts have all.
constexpr double kWorthSaying = 0.01;

std::string milliseconds(double ns) { return printed(ns < 100e6 ? "%.3g ms" : "%.0f ms", ns / 1e6); }

/// Descriptions of what waits, and of the remedy.
struct WaitWords {
  std::string_view what, remedy;
};

const WaitWords& wait_words(WaitKind wait) {
  static constexpr WaitWords kWords[] = {
      {"Waiting for the whole device", "Wait for an event or a stream instead, so that other work continues."},
      {"Waiting for a stream", "Launch the next work before waiting, or read results later, to fill the gap."},
      {"Waiting for an event", "Launch the next work before waiting to fill the gap."},
      {"Async copies from pageable memory",
       "They are staged through pinned memory while the caller waits; use pinned memory to make them asynchronous."},
      {"Blocking copies", "Use an asynchronous copy of pinned memory on its own stream to overlap it."},
      {"Blocking memory sets", "cudaMemsetAsync returns at once."}};
  return kWords[static_cast<std::size_t>(wait)];
}

}  // namespace

double ReportIdle::total() const { return std::accumulate(times.begin(), times.end(), 0.0); }

Cause ReportIdle::largest() const {
  return static_cast<Cause>(std::max_element(times.begin(), times.end()) - times.begin());
}

std::string_view cause_words(Cause cause) {
  constexpr std::string_view words[] = {"Waiting for other device work",
                                        "Launch latency",
                                        "Synchronization",
                                        "Time in other API calls",
                                        "Host code between launches",
                                        "Time after the last work",
                                        "Time before work without a recorded launch"};
  return words[static_cast<std::size_t>(cause)];
}

std::vector<Finding> findings(const std::vector<ReportIdle>& reports, const StudyView& view) {
  std::vector<Finding> out;
  for (std::size_t c = 0; c < kCauses; ++c) {
    const auto led = led_by(reports, static_cast<Cause>(c));
    if (!led.empty()) out.push_back(finding_of(static_cast<Cause>(c), led, reports.size(), view));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding& a, const Finding& b) { return a.evidence.size() > b.evidence.size(); });
  if (!out.empty()) out.front().role = FindingRole::kAnswer;
  return out;
}

std::vector<Finding> wait_findings(const std::vector<ReportIdle>& reports, const StudyView& view) {
  std::vector<Finding> out;
  for (std::size_t w = 0; w < kWaits; ++w) {
    const std::string dims = "wait=" + std::string(kWaitNames[w]);
    Finding f;
    double low = 1, high = 0, most = 0, calls = 0, host = 0;
    std::size_t found = 0, known = 0, worst = 0;
    for (const ReportIdle& r : reports) {
      const auto row = static_cast<Row>(r.report);
      const auto idle = view.fact(row, "host_wait.idle_ns", dims);
      const auto count = view.value(row, "host_wait.call_count", dims);
      const auto held = view.value(row, "host_wait.time_ns", dims);
      if (!idle || !count || !held) continue;
      ++known;
      const double time = view.study().facts->value[*idle];
      if (time <= 0) continue;
      ++found;
      low = std::min(low, time / r.total());
      high = std::max(high, time / r.total());
      calls += *count;
      host += *held;
      if (time > most) {
        most = time;
        worst = r.report;
      }
      f.evidence.push_back(static_cast<std::int64_t>(*idle));
    }
    if (found == 0 || high < kWorthSaying) continue;
    const WaitWords& words = wait_words(static_cast<WaitKind>(w));
    f.title =
        filled("{}: the device is idle meanwhile for {} % of its idle time, in {}",
               {std::string(words.what), low_to_high(100 * low, 100 * high, 1), counted_of(found, known, "profile")});
    f.text = filled("{}{} the host for {} in all; the most idle time, {}, is in {}. {}",
                    {counted(static_cast<std::size_t>(calls), "such call"), calls == 1 ? " blocks" : " block",
                     milliseconds(host), milliseconds(most), view.path(worst), std::string(words.remedy)});
    out.push_back(std::move(f));
  }
  return out;
}

Table cause_table(const std::vector<ReportIdle>& reports, const StudyView& view) {
  Table table("idle_by_cause", "Idle GPU time by cause");
  std::vector<std::string> names;
  std::vector<double> idle_share;
  for (const ReportIdle& r : reports) {
    names.emplace_back(view.path(r.report));
    idle_share.push_back(r.total() / r.window);
  }
  table.add("report", "", std::move(names));
  table.add("idle", "ratio of the window", std::move(idle_share));
  for (std::size_t c = 0; c < kCauses; ++c) {
    std::vector<double> times;
    for (const ReportIdle& r : reports) times.push_back(r.times[c]);
    table.add(std::string(kCauseNames[c]), "ns", std::move(times));
  }
  return table;
}

Table stretch_table(std::string id, std::string title, const std::vector<Stretch>& stretches) {
  TableRows<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string> rows;
  for (const Stretch& s : stretches) {
    rows.add(s.device, s.start, s.end, s.gaps, s.idle, kCauseNames[static_cast<std::size_t>(s.cause)]);
  }
  return rows.table(std::move(id), std::move(title),
                    {{"device"}, {"start", "ns"}, {"end", "ns"}, {"gaps", "1"}, {"idle", "ns"}, {"cause"}});
}

}  // namespace assay::idle
