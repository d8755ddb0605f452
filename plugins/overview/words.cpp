#include "words.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "assay/algo/kernel_classes.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "long_gaps.hpp"

namespace assay::overview {
namespace {

constexpr double kSameBusy = 0.01;  ///< of the window: GPUs that are busy as long as each other

constexpr double kSomeHidden = 0.01;  // of GPU time, in graphs

constexpr std::size_t kMaxNamed = 3;

/// Words for a cause: in the headline, in the table, as a count over profiles, and in the table of idle time.
struct CauseWords {
  std::string_view cause, word, waits_for;
};
constexpr CauseWords kCauses[] = {
    {"queued", "other device work", "other device work"},
    {"launch", "launch latency", "launch latency"},
    {"calls", "launch calls", "host in launch calls"},
    {"stream", "another stream or event", "another stream or event"},
    {kBackToBack, "gaps between queued work", "between queued work"},
    {"profiler", "the profiler's own work", "the profiler's own work"},
    {"between", "host code between steps", "host code between steps"},
    {"stated", "a wait that the profile names", "what the profile names"},
    {"copies", "copies that no kernel hides", "copies"},
    {"sync", "synchronization", "host in a synchronization"},
    {"api", "API calls", "host in other API calls"},
    {"host", "host code", "host code between launches"},
    {"tail", "end of capture", "after the last kernel or copy"},
    {"unknown", "launches not recorded", "unknown: launch not recorded"},
};

const CauseWords& words_of(std::string_view cause) {
  const auto at = std::find_if(std::begin(kCauses), std::end(kCauses), [&](const auto& c) { return c.cause == cause; });
  return at == std::end(kCauses) ? std::end(kCauses)[-1] : *at;
}

/// "85 % of this capture is compilation (22.8 s of 26.8 s): capture after the first step. "; empty: less than half
/// is.
std::string compilation_text(const Run& run) {
  if (run.compiled() < kMostlyCompiled) return {};
  return filled("{} of this capture is compilation ({} of {}): capture after the first step. ",
                {percent(run.compiled(), 0), time_text(*run.compile_ns), time_text(*run.capture_ns)});
}

/// "2 launch-bound and 3 limited by host code", "all device-bound".
std::string limits_text(const std::vector<Run>& runs, const std::vector<Limit>& limits) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string limit = limit_word(runs[r], limits[r]);
    const bool cause = limits[r] == Limit::kWaiting || (limits[r] == Limit::kLever && !limit.ends_with("-bound"));
    const std::string word = (cause ? "limited by " : "") + limit;
    const auto at = std::ranges::find_if(counts, [&](const auto& c) { return c.first == word; });
    if (at == counts.end())
      counts.emplace_back(word, 1);
    else
      ++at->second;
  }
  std::ranges::stable_sort(counts, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  if (counts.size() == 1 && runs.size() > 1) return "all " + counts.front().first;
  for (const auto& [word, count] : counts) parts.push_back(std::to_string(count) + " " + word);
  return listed(parts);
}

/// "43 % of a step it waits for other ranks inside kernels that communicate".
std::string waiting_text(const OtherRanks& others) {
  std::string wait = percent(others.wait, 0) + " of a step it waits for other ranks inside kernels that communicate";
  if (!others.stage) return wait;
  return filled("{} (a stage of a pipeline: bubble {}{})",
                {wait, share_text(others.stage->bubble), ideal_text(others)});
}

/// The problem of a complete job, for a title: "; stage 2 computes 64 % more than the others". Empty for runs that are
/// not one job, and for jobs whose ranks do not wait.
std::string job_text(const std::vector<Run>& runs) {
  const auto& first = runs.front().others;
  const auto as_first = [&](const Run& run) {
    return run.others && run.others->reason == first->reason &&
           run.others->stage.has_value() == first->stage.has_value();
  };
  if (!first || !std::ranges::all_of(runs, as_first)) return {};
  if (!first->reason.empty()) return "; " + first->reason;
  if (!first->stage) return {};
  double bubble = 0;
  for (const Run& run : runs) {
    if (!run.others->stage->bubble) return {};
    bubble += *run.others->stage->bubble / static_cast<double>(runs.size());
  }
  return filled("; {} of the stages' time{}", {percent(bubble, 0), ideal_text(*first)});
}

/// Of a job in which the others wait for one rank: "stage 2 computes 64 % more than the others: the other 3 wait 43 to
/// 51 % of a step". Empty: there is no such rank.
std::string awaited_text(const std::vector<Run>& runs) {
  std::vector<double> waits;
  for (const Run& run : runs) {
    if (!run.others || run.others->reason.empty() || run.others->reason != runs.front().others->reason) return {};
    if (!run.is_awaited()) waits.push_back(run.others->lost);
  }
  if (waits.empty() || waits.size() + 1 != runs.size()) return {};
  const auto [least, most] = std::ranges::minmax_element(waits);
  const std::string low = fixed(100 * *least, 0), high = percent(*most, 0);
  std::string reason = runs.front().others->reason;
  if (reason.front() >= 'a' && reason.front() <= 'z') reason.front() = static_cast<char>(reason.front() - 'a' + 'A');
  return filled("{}: the other{} {} of {}",
                {reason, waits.size() == 1 ? " waits" : filled(" {} wait", {std::to_string(waits.size())}),
                 low + " %" == high ? high : filled("{} to {}", {low, high}), runs.front().a_step()});
}

/// Peaks of memory snapshots, for a title: "; memory peaks at 1.2 GB to 1.5 GB; the peak of 1 is not known".
std::string memory_text(const std::vector<Run>& runs) {
  std::vector<double> peaks;
  std::size_t unknown = 0;
  for (const Run& run : runs) {
    if (run.peak_bytes) peaks.push_back(*run.peak_bytes);
    if (!run.peak_bytes && !run.memory.empty()) ++unknown;
  }
  if (peaks.empty() && unknown == 0) return {};
  const std::string known =
      peaks.empty() ? ""
                    : "; memory peaks at " + quantity_range(std::ranges::min(peaks), std::ranges::max(peaks), "bytes");
  return unknown > 0 ? filled("{}; the peak of {} is not known", {known, std::to_string(unknown)}) : known;
}

bool is_snapshot(Limit limit) { return limit == Limit::kMemory; }

}  // namespace

std::string top_class(const Run& run) {
  if (run.classes.empty()) return {};
  const auto& [name, share] = run.classes.front();
  const bool some_hidden = run.opaque && *run.opaque >= kSomeHidden;
  return filled("{} ({} of kernel time{})",
                {name == kUnknownClass ? "kernels of no known class" : name, percent(share, 0),
                 some_hidden ? ", without the " + percent(*run.opaque, 0) + " of GPU time in CUDA graphs" : ""});
}

std::string share_text(const std::optional<double>& share) { return share ? percent(*share, 0) : "not known"; }

std::string ideal_text(const OtherRanks& others) {
  if (others.stage->ideal) return ", of equal stages " + percent(*others.stage->ideal, 0);
  return others.transfer ? "" : ", transfers included";
}

std::string cause_word(std::string_view cause) { return std::string(words_of(cause).word); }
std::string waits_for(std::string_view cause) { return std::string(words_of(cause).waits_for); }

std::string limit_word(const Run& run, Limit limit) {
  if (!run.start.empty()) return "start of the process";
  switch (limit) {
    case Limit::kUnknown:
      return "not known";
    case Limit::kMemory:
      return "memory only";
    case Limit::kCounters:
      return "counters only";
    case Limit::kNoWork:
      return "no GPU work";
    case Limit::kDevice:
      return run.is_awaited() ? "awaited by the others" : "device-bound";
    case Limit::kPartOfDevice:
      return "part of the GPU used";
    case Limit::kRanks:
      return run.others->stage ? "pipeline bubble" : "waiting for other ranks";
    case Limit::kCommunication:
      return "communication-bound";
    case Limit::kLever:
      return run.is_launch_bound() ? "launch-bound" : std::string(lever::word_of(run.limiting().front().lever.kind));
    case Limit::kLaunches:
      return "launch-bound";
    case Limit::kWaiting:
      if (run.compiled() >= kMostlyCompiled) return "compilation";
      return std::string(words_of(run.idle.front().first).word);
    case Limit::kIdle:
      return "not known";
  }
  return {};
}

namespace {

/// "36 % (mean): 30 % (GPU 1) to 52 % (GPU 0)", by what is not communication if some is: a mean hides who waits.
std::string devices_text(const Run& run) {
  const std::string mean = percent(*run.busy, 0);
  if (run.parts.size() < 2 || !run.window_ns) return mean + " (mean)";
  const auto share = [&](const Part& part) { return part.work / *run.window_ns; };
  const auto [least, most] = std::ranges::minmax_element(run.parts, {}, share);
  if (share(*most) - share(*least) < kSameBusy) return mean + " each";
  const bool waits = std::ranges::any_of(
      run.parts, [&](const Part& part) { return part.busy - part.work > kSomeCommunication * *run.window_ns; });
  std::set<std::string> devices;
  for (const Part& part : run.parts) devices.insert(part.device);
  const bool by_device = devices.size() == run.parts.size();
  const auto name = [&](const Part& part) { return by_device ? "GPU " + part.device : "process " + part.process; };
  return filled("{} (mean), {}{} ({}) to {} ({})",
                {mean, waits ? "without communication " : "", percent(share(*least), 0), name(*least),
                 percent(share(*most), 0), name(*most)});
}

std::string launches_text(const Run& run) {
  return filled("kernels take {}, launches come every {}",
                {time_text(*run.kernel_mean_ns), time_text(*run.launch_interval_ns)});
}

/// "Without a profiler a decode takes 4.58 ms, 1.9 times as long under it: "; empty: not known.
std::string plain_text(const Run& run) {
  if (!run.plain_ns || *run.plain_ns <= 0 || !run.step_ns) return {};
  return filled("Without a profiler {} takes {}, {} times as long under it: ",
                {run.a_step(), time_text(*run.plain_ns), printed("%.1f", *run.step_ns / *run.plain_ns)});
}

/// "at least 81 % of a step": what it would be shorter by.
std::string gain_text(const Run& run, const lever::Gain& gain) {
  return filled("{}{} of {}", {gain.at_least ? "at least " : "", percent(gain.share, 0), run.a_step()});
}

/// "limited by host code in 'data' (68 % of a step)".
std::string levers_text(const Run& run) {
  std::vector<std::string> parts;
  const std::vector<lever::Gain> all = run.limiting();
  for (const lever::Gain& gain : all)
    parts.push_back(filled("{} ({})", {lever::name_of(gain.lever), gain_text(run, gain)}));
  return run.is_launch_bound() ? filled("launch-bound: {}; {}", {listed(parts), launches_text(run)})
                               : "limited by " + listed(parts);
}

}  // namespace

std::string headline(const Run& run, Limit limit) {
  const bool none = limit == Limit::kNoWork || limit == Limit::kUnknown;
  if (none && !run.unread.empty())
    return "GPU use is unknown, and device work may be in what is not read. " + run.unread;
  if (limit == Limit::kNoWork) return "Nothing ran on a GPU in this capture";
  if (limit == Limit::kMemory) return run.memory;
  if (!run.start.empty()) return run.start;
  if (limit == Limit::kCounters)
    return "Counters of " + counted(static_cast<std::size_t>(*run.counted_kernels), "kernel launch") +
           "; how close each kernel is to its limit is below";
  if (!run.measured) return "GPU use is not known: no analyzer of the question measures it";
  if (limit == Limit::kUnknown) return "GPU use is unknown: no GPU work was recorded";
  const bool hidden = run.hides_kernels();
  const std::string most = run.may_wait_for_ranks() ? "at most " : "";
  std::string text = compilation_text(run) + plain_text(run);
  text += run.devices > 1 ? printed("%.0f GPUs busy ", run.devices) + most + devices_text(run)
                          : "GPU busy " + most + percent(*run.busy, 0);
  if (run.step_ns) text += filled(" of {} of {}", {run.a_step(), time_text(*run.step_ns)});
  if (run.sms_active) text += ", SMs active " + percent(*run.sms_active, 0);
  if (run.may_wait_for_ranks()) text += ", waiting for other ranks included";
  if (limit == Limit::kRanks) {
    text += ", but " + waiting_text(*run.others);
  } else if (limit == Limit::kDevice && run.is_awaited()) {
    text += "; the other ranks wait for this one: " + run.others->reason;
  } else if (limit == Limit::kDevice) {
    text += "; device-bound";
    const std::string top = hidden ? std::string() : top_class(run);
    if (!top.empty()) text += ": most of its time goes to " + top;
  } else if (limit == Limit::kPartOfDevice) {
    text += ": kernels use a part of the GPU";
  } else if (limit == Limit::kCommunication) {
    text += "; communication-bound: ";
    text += run.exposed
                ? most + percent(*run.exposed, 0) + " of a step is communication that nothing hides"
                : filled("communication takes {}{} of kernel time", {most, percent(run.share_of(kCommunicates), 0)});
  } else if (limit == Limit::kLever) {
    text += "; " + levers_text(run);
  } else if (limit == Limit::kLaunches) {
    text += "; launch-bound: " + launches_text(run);
  } else if (limit == Limit::kWaiting && !(run.compiled() >= kMostlyCompiled && run.idle.front().first == "stated")) {
    const auto& [cause, share] = run.idle.front();
    const IdlePlace* const place = run.place_of(cause);
    text += filled("; idle most for {}{} ({} of {})",
                   {std::string(words_of(cause).word), place == nullptr ? "" : " in '" + place->place + "'",
                    percent(place == nullptr ? share : place->share, 0),
                    run.step_ns ? run.a_step() : "the time" + long_gaps_text(run, cause)});
  }
  if (hidden) text += "; CUDA graphs hide their kernels";
  if (!run.left_out.empty()) text += filled(" ({})", {run.left_out});
  if (!run.lost_launches.empty()) text += ". " + run.lost_launches;
  return text;
}

std::vector<Finding> findings(const std::vector<Run>& runs, const std::vector<Limit>& limits,
                              const std::vector<Unlike>& unlike, const std::vector<Advice>& advice) {
  Finding answer;
  answer.role = FindingRole::kAnswer;
  if (runs.size() == 1) {
    answer.title = headline(runs.front(), limits.front());
    answer.text = "There is no advice for these runs.";
    if (!advice.empty())
      answer.text = filled("To try first: {}. Because {}.", {advice.front().what, advice.front().because});
    answer.evidence = runs.front().evidence;
    return {answer};
  }
  answer.title = awaited_text(runs);
  if (answer.title.empty())
    answer.title = filled("{}: {}{}", {counted(runs.size(), "profile"), limits_text(runs, limits), job_text(runs)});
  if (std::ranges::any_of(limits, is_snapshot)) answer.title += memory_text(runs);
  std::vector<const Run*> by_busy;
  for (const Run& run : runs) {
    if (run.busy) by_busy.push_back(&run);
  }
  std::ranges::stable_sort(by_busy, [](const Run* a, const Run* b) { return *a->busy < *b->busy; });
  answer.text = "No profile shows how busy its GPU was.";
  if (!by_busy.empty()) {
    answer.text = filled("The GPU was busy {} ({}) to {} ({}) of the time.",
                         {percent(*by_busy.front()->busy, 0), by_busy.front()->path, percent(*by_busy.back()->busy, 0),
                          by_busy.back()->path});
    for (const Run* run : by_busy) answer.evidence.push_back(run->evidence.front());
  }
  std::vector<Finding> out{std::move(answer)};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (unlike[r].reasons.empty() || out.size() > kMaxNamed) continue;
    Finding odd;
    odd.title = runs[r].path + " is an outlier";
    odd.text = listed(unlike[r].reasons) + ".";
    odd.evidence = runs[r].evidence;
    out.push_back(std::move(odd));
  }
  return out;
}

bool by_step(const std::vector<Run>& runs) {
  return std::ranges::count_if(runs, [](const Run& run) { return run.step_ns.has_value(); }) > 1;
}

Table run_table(const std::vector<Run>& runs, const std::vector<Limit>& limits, const std::vector<Unlike>& unlike) {
  std::vector<std::size_t> rows(runs.size());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  constexpr double kLast = std::numeric_limits<double>::infinity();
  const auto step = [&](std::size_t r) { return runs[r].step_ns.value_or(kLast); };
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
    return by_step(runs) ? step(a) < step(b) : unlike[a].degree > unlike[b].degree;
  });
  Table table("runs", by_step(runs) ? "Runs, shortest step first" : "Runs, outliers first");
  const auto column = [&](const char* name, const char* unit, auto&& cell) { table.column(name, unit, rows, cell); };
  column("report", "", [&](std::size_t r) { return runs[r].path; });
  const bool only_snapshots = std::ranges::all_of(limits, is_snapshot);
  if (!only_snapshots) column("GPU busy", "ratio", [&](std::size_t r) { return runs[r].busy; });
  column("limited by", "", [&](std::size_t r) { return limit_word(runs[r], limits[r]); });
  const auto where_known = [&](const char* name, const char* unit, std::optional<double> Run::* member) {
    const auto known = [&](const Run& run) { return (run.*member).has_value(); };
    if (std::ranges::any_of(runs, known)) column(name, unit, [&](std::size_t r) { return runs[r].*member; });
  };
  where_known("TPOT", "ns", &Run::tpot_ns);
  where_known("tokens/s", "", &Run::tokens_per_s);
  where_known("step", "ns", &Run::step_ns);
  if (by_step(runs))
    column("x best", "", [&](std::size_t r) {
      return runs[r].step_ns ? std::optional(*runs[r].step_ns / step(rows.front())) : std::nullopt;
    });
  if (std::ranges::any_of(runs, [](const Run& run) { return run.others.has_value(); }))
    column("waits for ranks", "ratio",
           [&](std::size_t r) { return runs[r].others ? std::optional(runs[r].others->wait) : std::nullopt; });
  if (std::ranges::any_of(limits, is_snapshot)) {
    column("memory peak", "bytes", [&](std::size_t r) { return runs[r].peak_bytes; });
    where_known("in use at the end", "bytes", &Run::in_use_bytes);
  }
  if (!only_snapshots) {
    column("duration", "ns", [&](std::size_t r) { return runs[r].window_ns; });
    column("kernels", "1", [&](std::size_t r) {
      return runs[r].kernels ? std::optional(static_cast<std::int64_t>(*runs[r].kernels)) : std::nullopt;
    });
  }
  column("unlike the others", "", [&](std::size_t r) {
    std::string text;
    for (const std::string& reason : unlike[r].reasons) text += (text.empty() ? "" : "; ") + reason;
    return text;
  });
  column("says", "", [&](std::size_t r) { return headline(runs[r], limits[r]); });
  return table;
}

}  // namespace assay::overview
