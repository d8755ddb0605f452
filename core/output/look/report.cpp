#include "look/report.hpp"

#include <algorithm>
#include <optional>

#include "assay/words.hpp"
#include "look/limits.hpp"
#include "look/report_facts.hpp"
#include "look/tables.hpp"
#include "render/format.hpp"
#include "render/metric_words.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kTopKernels = 5, kClasses = 6, kToTry = 4, kMissing = 5;

std::string or_not_known(const std::string& text) { return text.empty() ? kNotKnown : text; }

std::string count_text(const std::optional<double>& count, const std::string& one, const std::string& many) {
  if (!count) return many + " not recorded";
  return *count == 0 ? "no " + many : fixed(*count, 0) + " " + (*count == 1 ? one : many);
}

std::string captured(const Facts& facts) {
  const auto launches = facts.value("ncu.profiled_count"), kernels = facts.value("kernel.count");
  const auto window = facts.value("window.duration_ns");
  if (launches && !kernels && !window)
    return "counters of " + count_text(launches, "kernel launch", "kernel launches") + ", no timeline";
  std::string text = window ? time_text(*window) : "of unknown length";
  text += ", " + count_text(kernels, "kernel", "kernels");
  if (const auto graphs = facts.value("graph.launch_count"); graphs && *graphs > 0)
    text += ", " + count_text(graphs, "graph launch", "graph launches");
  std::optional<double> copies;
  for (const auto& [direction, count] : facts.by("copy.count", "direction")) copies = copies.value_or(0) + count;
  return text + ", " + count_text(copies, "copy", "copies");
}

/// "HIP" or "CUDA": AMD's runtime says its own name in the version.
std::string runtime_name(const Facts& facts) {
  return facts.attribute("cuda").starts_with("HIP") || facts.attribute("format") == "rocpd" ? "HIP" : "CUDA";
}

Part what_ran(const Facts& facts) {
  const std::string clock = facts.attribute("clock"), rank = facts.attribute("rank");
  const std::string recorded = facts.attribute("recorded");
  std::string device = or_not_known(facts.attribute("device")) + (clock.empty() ? "" : ", " + clock);
  if (!rank.empty()) device += ", rank " + rank + " of " + facts.attribute("world_size");
  Part part{"What ran", {{""}, {""}, {""}, {""}}, {}};
  part.rows.push_back({"program", or_not_known(facts.attribute("program")), "recorded",
                       recorded.empty() ? kNotKnown : recorded + " UTC"});
  part.rows.push_back({"device", device, "driver",
                       or_not_known(facts.attribute("driver")) + ", " +
                           (facts.attribute("cuda").starts_with("HIP ")
                                ? facts.attribute("cuda")
                                : runtime_name(facts) + " " + or_not_known(facts.attribute("cuda")))});
  part.rows.push_back({"profiler", or_not_known(facts.attribute("profiler")), "capture", captured(facts)});
  return part;
}

/// Where a step goes, each instant counted once.
std::optional<Part> step_part(const Facts& facts) {
  const auto shares = facts.by("step.category_time_ratio", "category");
  const auto steps = facts.value("step.count"), time = facts.value("step.time_ns");
  if (shares.empty() || !steps || !time) return std::nullopt;
  const std::string whole = *steps > 1 ? "A step of " + time_text(*time) + " (mean of " + fixed(*steps, 0) + ")"
                                       : "Time breakdown of the capture (no double counting)";
  Part part{whole, {{""}, {"time", true}, {"share", true}}, {}, {}, true};
  std::vector<double> times;
  for (const auto& [category, share] : shares) times.push_back(share * *time);
  const std::vector<std::string> texts = column_texts(times, "ns");
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].second <= 0) continue;
    const std::string& name = shares[i].first;
    const std::string words = name == "cpu_exec"  ? "host code"
                              : name == "runtime" ? runtime_name(facts) + " calls"
                              : name == "memcpy"  ? "copies"
                              : name == "memset"  ? "memory sets"
                              : name == "kernel"  ? "kernels"
                                                  : name;
    part.rows.push_back({words, texts[i], share_text(shares[i].second)});
  }
  return part;
}

std::optional<Part> idle_part(const Facts& facts) {
  const auto window = facts.value("idle.window_ns");
  const auto causes = facts.by("idle.time_ns", "cause");
  if (!window || *window <= 0 || causes.empty()) return std::nullopt;
  double idle = 0;
  std::vector<double> times;
  for (const auto& [cause, time] : causes) idle += time, times.push_back(time);
  Part part{"GPU idle " + share_text(idle / *window) + ", waiting for",
            {{""}, {"time", true}, {"share", true}},
            {},
            {},
            true};
  const std::vector<std::string> texts = column_texts(times, "ns");
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].second <= 0) continue;
    const std::string& cause = causes[i].first;
    const std::string words = cause == "queued"   ? "other device work"
                              : cause == "launch" ? "the launch itself"
                              : cause == "sync"   ? "host in a synchronization"
                              : cause == "api"    ? "host in other API calls"
                              : cause == "host"   ? "host code between launches"
                              : cause == "tail"   ? "nothing: after the last kernel or copy"
                                                  : "unknown: launch not recorded";
    part.rows.push_back({words, texts[i], share_text(causes[i].second / *window)});
  }
  if (part.rows.empty()) part.sentences.emplace_back("never");
  return part;
}

/// Calls that block the host, as the expert rules of nsys list them, with what each costs.
std::optional<Part> wait_part(const Facts& facts) {
  constexpr double kWorthSaying = 0.01;  // of the capture
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"device_sync", "waiting for the device"},
      {"stream_sync", "waiting for a stream"},
      {"event_sync", "waiting for an event"},
      {"pageable_copy", "asynchronous copies of pageable memory, which wait"},
      {"blocking_copy", "copies that wait until they are done"},
      {"blocking_set", "memory sets that wait until they are done"}};
  const double window = facts.number("window.duration_ns");
  std::vector<std::string> words;
  std::vector<double> counts, times, idle;
  for (const auto& [wait, text] : kWords) {
    const std::string dims = std::string("wait=") + wait;
    const double time = facts.number("host_wait.time_ns", dims), lost = facts.number("host_wait.idle_ns", dims);
    const bool worth = time >= kWorthSaying * window || lost >= kWorthSaying * window;
    if (!worth) continue;  // also where it is not known
    words.emplace_back(text);
    counts.push_back(facts.number("host_wait.call_count", dims)), times.push_back(time), idle.push_back(lost);
  }
  if (words.empty()) return std::nullopt;
  Part part{
      "Calls that block the host", {{""}, {"calls", true}, {"time in them", true}, {"GPU idle meanwhile", true}}, {}};
  const auto c = column_texts(counts, "1"), t = column_texts(times, "ns"), i = column_texts(idle, "ns");
  for (std::size_t w = 0; w < words.size(); ++w) part.rows.push_back({words[w], c[w], t[w], i[w]});
  return part;
}

/// What to add to a title above kernels where graphs hide some.
std::string beside_graphs(const Facts& facts) {
  const double hidden = facts.value("graph.opaque_ratio").value_or(0);
  return hidden > 0 ? " (without " + share_text(hidden) + " of GPU time, hidden in graphs)" : std::string();
}

std::optional<Part> class_part(const Facts& facts) {
  const auto times = facts.by("kernel_class.time_sum_ns", "class");
  if (times.empty()) return std::nullopt;
  Part part{"Kernels by class" + beside_graphs(facts),
            {{""}, {"time", true}, {"share", true}, {"kernels", true}},
            {},
            {},
            true};
  std::vector<double> values;
  double rest = 0, rest_share = 0, rest_count = 0;
  std::vector<std::string> names;
  std::vector<double> shares, counts;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string dims = "class=" + times[i].first;
    const double share = facts.number("kernel_class.time_ratio", dims);
    const double count = facts.number("kernel_class.count", dims);
    if (times[i].second <= 0) continue;
    if (i < kClasses) {
      names.push_back(times[i].first), values.push_back(times[i].second);
      shares.push_back(share), counts.push_back(count);
    } else {
      rest += times[i].second, rest_share += share, rest_count += count;
    }
  }
  if (rest > 0)
    names.emplace_back("all others"), values.push_back(rest), shares.push_back(rest_share),
        counts.push_back(rest_count);
  const std::vector<std::string> texts = column_texts(values, "ns"), numbers = column_texts(counts, "1");
  for (std::size_t i = 0; i < names.size(); ++i)
    part.rows.push_back({names[i], texts[i], share_text(shares[i]), numbers[i]});
  if (part.rows.empty()) return std::nullopt;
  return part;
}

std::optional<Part> copy_part(const Facts& facts) {
  const auto times = facts.by("copy.time_sum_ns", "direction");
  if (times.empty()) return std::nullopt;
  Part part{"Copies", {{""}, {"count", true}, {"bytes", true}, {"rate", true}}, {}, {}, true};
  std::vector<double> counts, bytes, rates;
  for (const auto& [direction, time] : times) {
    const std::string dims = "direction=" + direction;
    counts.push_back(facts.number("copy.count", dims));
    bytes.push_back(facts.number("copy.bytes", dims));
    rates.push_back(facts.number("copy.bandwidth_bytes_per_s", dims));
  }
  const auto c = column_texts(counts, "1"), b = column_texts(bytes, "bytes"), r = column_texts(rates, "bytes/s");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string& d = times[i].first;
    const std::string words = d == "h2d"   ? "host to device"
                              : d == "d2h" ? "device to host"
                              : d == "d2d" ? "on the device"
                                           : d;
    part.rows.push_back({words, c[i], b[i], r[i]});
  }
  return part;
}

std::optional<Part> kernel_part(const ReportResult& report) {
  const OwnedTable* table = table_of(report.tables, "kernel_breakdown", "top_kernels");
  if (table == nullptr || table->rows() == 0) return std::nullopt;
  const std::size_t rows = std::min(table->rows(), kTopKernels);
  const Cells time(*table, "Total Time"), share(*table, "Time"), count(*table, "Instances"), mean(*table, "Avg");
  const Cells name(*table, "Name"), kind(*table, "Class");
  std::vector<double> times, counts, means;
  for (std::size_t r = 0; r < rows; ++r) {
    times.push_back(time.number(r)), counts.push_back(count.number(r)), means.push_back(mean.number(r));
  }
  const auto t = column_texts(times, "ns"), c = column_texts(counts, "1"), m = column_texts(means, "ns");
  Part part{"Top kernels", {{"name"}, {"class"}, {"time", true}, {"share", true}, {"count", true}, {"mean", true}}, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    part.rows.push_back({shortened(one_line(name.text(r)), kKernelName), kind.text(r), t[r],
                         share_text(share.number(r) / 100), c[r], m[r]});
  }
  return part;
}

std::optional<Part> advice_part(const RunResult& run, const std::string& report) {
  const OwnedTable* table = table_of(run.questions.front().tables, "overview", "to_try");
  if (table == nullptr) return std::nullopt;
  const Cells of(*table, "report"), what(*table, "try"), because(*table, "because");
  Part part{"What to try", {}, {}};
  for (std::size_t r = 0; r < table->rows(); ++r) {
    if (of.text(r) != report || part.sentences.size() == kToTry) continue;
    part.sentences.push_back(what.text(r) + ": " + because.text(r));
  }
  if (part.sentences.empty()) return std::nullopt;
  return part;
}

/// That nobody asked for iterations, and that no profile of its kind has operators, is nothing to say.
bool worth_saying(const Skip& skip, FileKind kind) {
  return skip.cause == SkipCause::kOther || (skip.cause == SkipCause::kNoFramework && kind.framework);
}

/// What the report does not say, and what is wrong with it.
std::optional<Part> missing_part(const ReportResult& report, FileKind kind, const MetricWords& words) {
  Part part{"What is missing", {}, {}};
  std::size_t more = 0;
  const auto say = [&](const std::string& text) {
    const std::string sentence = words.in_text(text);
    if (std::find(part.sentences.begin(), part.sentences.end(), sentence) != part.sentences.end()) return;
    part.sentences.size() < kMissing ? part.sentences.push_back(sentence) : static_cast<void>(++more);
  };
  for (const OwnedIssue& issue : report.issues) {
    if (issue.severity != Severity::kInfo) say(issue.text);
  }
  if (kind == FileKind::kNcuCsv) {
    say("the run: steps, idle times and copies need a profile of Nsight Systems or the PyTorch profiler; under the "
        "same "
        "name in the same folder it gets these counters");
    return part;
  }
  for (const Skip& skip : report.skips) {
    if (worth_saying(skip, kind)) say(skip.reason);
  }
  if (part.sentences.empty()) return std::nullopt;
  if (more > 0) part.sentences.push_back("and " + counted(more, "further thing") + ", which 'assay run' lists");
  return part;
}

}  // namespace

Page report_page(const RunResult& run, std::size_t entry) {
  const ReportResult& report = run.analysis.questions.front()[entry];
  const FoundFile& file = run.catalog->files[run.catalog->questions.front().entries[entry].file];
  Page page{file.name, "This profile could not be read", {}};
  const auto add = [&](std::optional<Part> part) {
    if (part) page.parts.push_back(std::move(*part));
  };
  if (!report.loaded) {
    Part why{"What is wrong", {}, {}};
    for (const Skip& skip : report.skips) why.sentences.push_back(skip.reason);
    if (why.sentences.empty()) why.sentences.push_back(file.problem.empty() ? "No reason was given" : file.problem);
    page.parts.push_back(std::move(why));
    return page;
  }
  const OwnedTable* runs = table_of(run.questions.front().tables, "overview", "runs");
  page.headline = "Nothing could be measured in this profile";
  for (std::size_t r = 0; runs != nullptr && r < runs->rows(); ++r) {
    if (Cells(*runs, "report").text(r) == file.name) page.headline = Cells(*runs, "says").text(r);
  }
  const Facts facts(report);
  page.parts.push_back(what_ran(facts));
  add(step_part(facts));
  add(idle_part(facts));
  add(class_part(facts));
  add(copy_part(facts));
  add(wait_part(facts));
  add(kernel_part(report));
  add(bound_part(report));
  add(counted_part(report));
  if (file.kind == FileKind::kNcuCsv) add(rules_part(file.path));
  add(roof_part(facts, report));
  add(advice_part(run, file.name));
  add(missing_part(report, file.kind, MetricWords(run.questions.front().metrics)));
  return page;
}

}  // namespace assay::look
