#include "whatif/page.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::whatif {
namespace {

std::string percentage(double share, int digits = 1) { return fixed(100 * share, digits) + " %"; }

/// ns of a step that remain whatever a profiler adds to the host: what its critical path then spends on the device.
double device_time(const Prediction& p) {
  double share = 0;
  for (const replay::Part part : {replay::Part::kKernel, replay::Part::kCopy, replay::Part::kCommunication})
    share += p.path_after[static_cast<std::size_t>(part)];
  return p.after * share;
}

/// Value of saved launches without a profiler's overhead: the device takes as long as in the profile, and the step is
/// shorter to begin with.
std::string slowed_host(const Prediction& p, const std::optional<PlainStep>& plain) {
  if (!plain || plain->traced <= 0 || plain->plain <= 0 || p.before <= 0)
    return "A profiler makes each launch slower, so a program that runs without one gains less of its step; compare "
           "with times taken without it.";
  const double share = std::max(0.0, 1 - device_time(p) / plain->plain);
  return fmt::format(
      "A profiler makes each launch slower: '{}' takes {} here and {} without one ({}), of which '{}' gains at most "
      "{}, against {} of the profile.",
      one_line(plain->range), quantity(plain->traced, "ns"), quantity(plain->plain, "ns"), one_line(plain->source),
      p.change, percentage(share), percentage(p.gain / p.before));
}

std::string interval(const Prediction& p) {
  if (!p.ranged) return "";
  const DisplayUnit unit = display_unit(std::max(std::abs(p.low), std::abs(p.high)), "ns");
  return fmt::format("[{}, {}] {}", fixed(p.low / unit.factor, 2), fixed(p.high / unit.factor, 2),
                     std::string(unit.name));
}

void print_wrapped(const std::string& text, std::ostream& to, std::size_t width) {
  for (const std::string& line : wrapped(text, width == 0 ? text.size() : width)) to << line << "\n";
}

}  // namespace

void print_runs(std::span<const RunSummary> runs, std::ostream& to, std::size_t width) {
  for (const RunSummary& run : runs) {
    const std::vector<double> seen(run.seen.begin(), run.seen.end());
    std::string text = one_line(run.name) + ": ";
    text += run.whole ? "the whole capture, " + quantity(seen.front(), "ns")
                      : fmt::format("{}, {} (mean)", counted(seen.size(), "step"), quantity(mean(seen), "ns"));
    text += "; replay error " + percentage(run.drift.median, 2) +
            (seen.size() > 1 ? " (median), " + percentage(run.drift.worst, 2) + " (worst)" : std::string());
    print_wrapped(text, to, width);
    for (const std::string& remark : run.remarks) print_wrapped("  " + remark, to, width);
  }
  to << "\nCritical path: " << largest_parts(path_shares(runs)) << "\n";
}

namespace {

void print_table(const char* title, std::span<const Prediction> gains, std::ostream& to, std::size_t width) {
  to << "\n" << title << "\n\n";
  TextTable table({{"change", false},
                   {"gain", true},
                   {"of a step", true},
                   {gains.front().ranged ? "in another run" : "", true},
                   {"critical path then", false}});
  for (const Prediction& p : gains)
    table.row(
        {p.change, quantity(p.gain, "ns"), percentage(p.gain / p.before), interval(p), largest_parts(p.path_after)});
  table.print(to, 2, width);
}

}  // namespace

void print_gains(std::span<const Prediction> levers, std::span<const Prediction> bounds,
                 const std::optional<PlainStep>& plain, std::ostream& to, std::size_t width) {
  if (levers.empty() && bounds.empty()) {
    to << "\nNo single change gains more than the replay's own error and 1 % of the step.\n";
    return;
  }
  if (!levers.empty()) print_table("What a step would gain without a cost (--remove)", levers, to, width);
  if (!bounds.empty()) print_table("At most, if kernels took no time (--scale)", bounds, to, width);
  to << "\n";
  print_wrapped("Gains of several changes do not add up: give the changes together.", to, width);
  const auto launches = std::ranges::find_if(levers, &Prediction::of_launches);
  if (launches != levers.end()) print_wrapped(slowed_host(*launches, plain), to, width);
}

void print_prediction(const Prediction& p, const std::optional<PlainStep>& plain, std::ostream& to, std::size_t width) {
  to << "\n" << p.change << "\n\n";
  TextTable times({{"", false}, {"", true}, {"", false}});
  times.row({"step now", quantity(p.before, "ns"), ""});
  if (p.told) {
    times.row({"step then", quantity(p.after, "ns"), "predicted"});
    times.row(
        {"gain", quantity(p.gain, "ns"),
         fmt::format("{}{}{} of the step", p.at_most ? "at most, " : "",
                     p.ranged ? interval(p) + " in another run, " : "one iteration, ", percentage(p.gain / p.before))});
  } else {
    times.row({"gain", "not reported", "smaller than the replay's own error of " + quantity(p.drift, "ns")});
  }
  times.print(to, 2, width);
  to << "\n";
  TextTable path({{"critical path", false}, {"now", true}, {"then", true}});
  for (std::size_t i = 0; i < replay::kParts; ++i) {
    if (p.path_before[i] > 0 || p.path_after[i] > 0)
      path.row({std::string(replay::part_name(static_cast<replay::Part>(i))), percentage(p.path_before[i]),
                percentage(p.path_after[i])});
  }
  path.print(to, 2, width);
  to << "\n";
  print_wrapped(p.reason, to, width);
  if (p.told && p.of_launches) print_wrapped(slowed_host(p, plain), to, width);
}

void print_between(std::span<const RunSummary> runs, const Prediction& prediction, std::ostream& to,
                   std::size_t width) {
  std::vector<double> times;
  for (const RunSummary& run : runs) times.push_back(run.between);
  const double between = mean(times), rest = prediction.after - between;
  if (rest <= 0) return;
  print_wrapped(fmt::format("Of these {}, {} are the host's between two such ranges, as it was under the profiler; a "
                            "range alone takes {}.",
                            quantity(prediction.after, "ns"), quantity(between, "ns"), quantity(rest, "ns")),
                to, width);
}

void PathTable::add(const Run& run) {
  for (const replay::PathEntry& one : replay::split_path(run.report(), run.graph, run.base, by_, classes_)) {
    Entry& entry = entries_[one.name];
    entry.times.resize(iterations_, 0);
    entry.times.insert(entry.times.end(), one.time.begin(), one.time.end());
    entry.total += static_cast<double>(one.total);
    all_ += static_cast<double>(one.total);
    if (entry.slack == replay::kNoSlack || (one.slack != replay::kNoSlack && one.slack < entry.slack))
      entry.slack = one.slack;
  }
  iterations_ += run.graph.iterations.size();
}

void PathTable::print(RowFormat format, std::ostream& to, std::size_t width) const {
  constexpr std::size_t kPrinted = 25;
  std::vector<std::pair<std::string, Entry>> order(entries_.begin(), entries_.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
  const bool for_people = format == RowFormat::kTable;
  TextTable table(for_people
                      ? std::vector<TextTable::Column>{{std::string(replay::kByNames[static_cast<std::size_t>(by_)])},
                                                       {"median", true},
                                                       {"quartiles", true},
                                                       {"of the path", true},
                                                       {"least slack", true}}
                      : std::vector<TextTable::Column>{{"name"},
                                                       {"median_ns", true},
                                                       {"lower_ns", true},
                                                       {"upper_ns", true},
                                                       {"total_ns", true},
                                                       {"share", true},
                                                       {"slack_ns", true}});
  for (std::size_t i = 0; i < order.size() && (!for_people || i < kPrinted); ++i) {
    auto& [name, entry] = order[i];
    entry.times.resize(iterations_, 0);
    std::ranges::sort(entry.times);
    const double middle = quantile_sorted(entry.times, 0.5), low = quantile_sorted(entry.times, 0.25),
                 high = quantile_sorted(entry.times, 0.75), share = all_ > 0 ? entry.total / all_ : 0;
    const bool has_slack = entry.slack != replay::kNoSlack;
    if (for_people)
      table.row({one_line(name), quantity(middle, "ns"), quantity(low, "ns") + " to " + quantity(high, "ns"),
                 percentage(share), has_slack ? quantity(static_cast<double>(entry.slack), "ns") : ""});
    else
      table.row({name, exact(middle), exact(low), exact(high), exact(entry.total), exact(share),
                 has_slack ? std::to_string(entry.slack) : ""});
  }
  if (!for_people) return table.write(to, format);
  to << "\n";
  table.print(to, 2, width);
  if (order.size() > kPrinted) to << "  and " << order.size() - kPrinted << " more; --format csv lists all\n";
  to << "\n";
  print_wrapped(
      "Every instant of an iteration is in one row. Slack is how much later work of that name could end without a "
      "later "
      "end of its iteration, of all the least; 0 is on the path.",
      to, width);
}

void write_rows(std::span<const Prediction> predictions, RowFormat format, std::ostream& to) {
  TextTable table({{"change", false},
                   {"before_ns", true},
                   {"after_ns", true},
                   {"gain_ns", true},
                   {"low_ns", true},
                   {"high_ns", true},
                   {"drift_ns", true},
                   {"told", false},
                   {"path_after", false}});
  const auto whole = [](double ns) { return fixed(ns, 0); };
  for (const Prediction& p : predictions)
    table.row({p.change, whole(p.before), whole(p.after), whole(p.gain), p.ranged ? whole(p.low) : "",
               p.ranged ? whole(p.high) : "", whole(p.drift), p.told ? "yes" : "no", largest_parts(p.path_after)});
  table.write(to, format);
}

}  // namespace assay::whatif
