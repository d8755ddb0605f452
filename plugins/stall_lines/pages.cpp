#include "pages.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <optional>

#include "algo/page_sections.hpp"
#include "algo/short_name.hpp"
#include "assay/algo/matching.hpp"
#include "assay/words.hpp"

namespace assay::stall_lines {
namespace {

constexpr std::size_t kMaxKernels = 6, kShown = 3, kTextBytes = 60;

constexpr const char* kQuery = "assay query REPORT 'SELECT * FROM source'";

/// "33.6 M".
std::string count_text(std::int64_t count) {
  const auto value = static_cast<double>(count);
  return value < 1e6 ? printed("%.0f", value) : printed("%.3g M", value / 1e6);
}

/// The line without what follows two blanks: mostly a comment.
std::string code_text(const StallLine& line, std::size_t most) {
  return short_name(std::string_view(line.text).substr(0, line.text.find("  ")), most);
}

/// " (memory at 94 % of its peak, 13 % of the roof)"; empty if neither is known.
std::string limit_text(const StudyView& view, std::size_t report, const StallKernel& kernel) {
  const auto of = [&](const char* metric) { return view.value(report, metric, "kernel=" + kernel.short_name); };
  const auto memory = of("ncu.memory_throughput_ratio"), compute = of("ncu.sm_throughput_ratio"),
             roof = of("ncu.roof_ratio");
  std::vector<std::string> parts;
  if (memory && compute)
    parts.push_back(filled("{} at {} of its peak",
                           {*memory < *compute ? "compute" : "memory", page::share_text(std::max(*memory, *compute))}));
  if (roof) parts.push_back(page::share_text(*roof) + " of the roof");
  return parts.empty()
             ? ""
             : filled(" ({}{}{})", {parts.front(), parts.size() > 1 ? ", " : "", parts.size() > 1 ? parts.back() : ""});
}

/// "lines.py:12 `v = tl.load(x)`: 60 % of the samples (34 % MIO throttle); 8 times the sectors it needs".
std::string line_text(const StallLine& line, const StallKernel& kernel) {
  std::string text = line.place;
  if (!line.text.empty()) text += filled(" `{}`", {code_text(line, kTextBytes)});
  text += filled(": {} of the samples", {percent(share_of(line.stalled, kernel), 0)});
  if (!line.reasons.empty())
    text += filled(" ({}{}{})", {line.reasons, line.waits_for.empty() ? "" : "; waits for ", line.waits_for});
  if (constexpr double kExcess = 1.1; line.needed > 0 && line.sector_ratio() > kExcess)
    text += filled("; accesses {} times the sectors it needs ({} for {})",
                   {printed("%.2g", line.sector_ratio()), count_text(line.sectors), count_text(line.needed)});
  return text;
}

struct ReportLine {
  std::string report;
  const StallKernel* kernel;
  const StallLine* line;
};

/// A line of either side, or of both.
struct LineChange {
  const StallLine* before = nullptr;
  const StallLine* after = nullptr;
  const char* change = "";
  std::int64_t stalled_after = 0;  ///< at the interval of the samples before
};

struct KernelPair {
  const StallKernel& before;
  const StallKernel& after;
  bool is_by_place = false;
  std::vector<LineChange> changes = {};  ///< most samples first
};

/// Kernels by name; the others in the order of their first launches.
std::vector<KernelPair> pairs_of(const std::vector<StallKernel>& before, const std::vector<StallKernel>& after) {
  std::vector<KernelPair> pairs;
  std::vector<const StallKernel*> others;
  for (const StallKernel& kernel : after)
    if (std::ranges::find(before, kernel.name, &StallKernel::name) == before.end()) others.push_back(&kernel);
  auto other = others.begin();
  for (const StallKernel& kernel : before) {
    const auto same = std::ranges::find(after, kernel.name, &StallKernel::name);
    if (same != after.end())
      pairs.push_back({kernel, *same});
    else if (other != others.end())
      pairs.push_back({kernel, **other++, true});
  }
  return pairs;
}

/// Equal text is one line, wherever it moved; without a text, an equal place.
bool is_same_line(const StallLine& a, const StallLine& b) {
  return a.has_line != 0 && b.has_line != 0 && (a.text.empty() ? a.place == b.place : a.text == b.text);
}

void find_changes(KernelPair& pair) {
  const double scale =
      pair.after.interval > 0 && pair.before.interval > 0 ? pair.after.interval / pair.before.interval : 1;
  const auto scaled = [&](const StallLine& line) {
    return static_cast<std::int64_t>(std::llround(scale * static_cast<double>(line.stalled)));
  };
  std::vector<const StallLine*> rest;
  for (const StallLine& line : pair.after.lines) rest.push_back(&line);
  for (const StallLine& line : pair.before.lines) {
    const auto same = std::ranges::find_if(rest, [&](const StallLine* other) { return is_same_line(line, *other); });
    if (same == rest.end()) {
      pair.changes.push_back({&line, nullptr, "gone"});
      continue;
    }
    const std::int64_t after = scaled(**same);
    // Samples are counts: three standard deviations of their difference.
    const double noise = 3 * std::sqrt(static_cast<double>(line.stalled) + scale * static_cast<double>(after));
    const auto difference = static_cast<double>(after - line.stalled);
    pair.changes.push_back({&line, *same,
                            difference > noise    ? "worse"
                            : difference < -noise ? "better"
                                                  : "same",
                            after});
    rest.erase(same);
  }
  for (const StallLine* line : rest) pair.changes.push_back({nullptr, line, "new", scaled(*line)});
  std::erase_if(pair.changes, [&](const LineChange& change) {
    return (change.before == nullptr || share_of(change.before->stalled, pair.before) < kWorthSaying) &&
           (change.after == nullptr || share_of(change.after->stalled, pair.after) < kWorthSaying);
  });
  std::ranges::stable_sort(pair.changes, std::ranges::greater(), [](const LineChange& change) {
    return std::max(change.before == nullptr ? 0 : change.before->stalled, change.stalled_after);
  });
}

std::string names_of(const KernelPair& pair) {
  return pair.is_by_place ? filled("{} -> {}", {pair.before.name, pair.after.name}) : pair.before.name;
}

/// "233 us -> 1.03 ms (4.41x slower), sectors 33.6 M -> 4.19 M".
std::string totals_of(const KernelPair& pair) {
  std::string text =
      filled("sectors {} -> {}, samples {} -> {}", {count_text(pair.before.sectors), count_text(pair.after.sectors),
                                                    count_text(pair.before.samples), count_text(pair.after.samples)});
  if (pair.before.duration > 0 && pair.after.duration > 0)
    text = filled("{} -> {} ({}), {}", {time_text(pair.before.duration), time_text(pair.after.duration),
                                        change_text(pair.after.duration / pair.before.duration, "ns"), text});
  return text;
}

Table change_table(const std::string& id, const KernelPair& pair) {
  using Count = std::optional<std::int64_t>;
  const auto either = [](const LineChange& one) { return one.before != nullptr ? one.before : one.after; };
  const auto place = [&](const LineChange& one) {
    if (one.before == nullptr || one.after == nullptr || one.before->place == one.after->place)
      return either(one)->place;
    return filled("{} -> {}", {one.before->place, one.after->place.substr(one.after->place.rfind(':'))});
  };
  const auto sectors = [](const StallLine* line) { return line == nullptr ? Count() : line->sectors; };
  const auto why = [](const StallLine* line) { return line == nullptr ? std::string() : line->reasons; };
  Table table(id, "Lines of " + names_of(pair));
  table.column("change", "", pair.changes, &LineChange::change)
      .column("line", "", pair.changes, place)
      .column("source", "", pair.changes, [&](const auto& one) { return code_text(*either(one), kTextBytes / 2); })
      .column("before", "1", pair.changes,
              [](const auto& one) { return one.before == nullptr ? Count() : one.before->stalled; })
      .column("after", "1", pair.changes,
              [](const auto& one) { return one.after == nullptr ? Count() : one.stalled_after; })
      .column("sectors before", "1", pair.changes, [&](const auto& one) { return sectors(one.before); })
      .column("sectors after", "1", pair.changes, [&](const auto& one) { return sectors(one.after); })
      .column("why before", "", pair.changes, [&](const auto& one) { return why(one.before); })
      .column("why after", "", pair.changes, [&](const auto& one) { return why(one.after); });
  return table;
}

}  // namespace

void emit_lines(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink) {
  page::Sections to;
  std::list<std::vector<StallKernel>> kept;
  std::vector<ReportLine> rows;
  for (const std::size_t report : reports) {
    const std::string path(view.path(report));
    to.page(path, {});
    std::vector<StallKernel>& kernels = kept.emplace_back(kernels_from_rows(view, report));
    std::ranges::stable_sort(kernels, std::ranges::greater(), &StallKernel::samples);
    for (const StallKernel& kernel : kernels)
      for (const StallLine& line : kernel.lines) rows.push_back({path, &kernel, &line});
    bool has_instructions = false;
    for (std::size_t k = 0; k < std::min(kernels.size(), kMaxKernels) && kernels[k].samples > 0; ++k) {
      const StallKernel& kernel = kernels[k];
      to.section(filled("Where {} stalls{}", {short_name(kernel.name), limit_text(view, report, kernel)}));
      for (std::size_t l = 0; l < std::min(kernel.lines.size(), kShown); ++l) {
        if (share_of(kernel.lines[l].stalled, kernel) < kWorthSaying) continue;
        to.add_sentence(line_text(kernel.lines[l], kernel));
        has_instructions = has_instructions || kernel.lines[l].has_line == 0;
      }
    }
    if (kernels.size() > kMaxKernels)
      to.add_sentence(
          filled("and {} with fewer samples: {}", {counted(kernels.size() - kMaxKernels, "kernel"), kQuery}));
    if (has_instructions)
      to.add_sentence(
          "instructions stand where no line is known: nvcc -lineinfo and Triton give code its lines, "
          "libraries have none, and a source page as CSV has none: give the .ncu-rep");
  }
  Table table("lines", "Lines of kernels, by samples that stall");
  table.column("report", "", rows, &ReportLine::report)
      .column("kernel", "", rows, [](const auto& row) { return row.kernel->name; })
      .column("line", "", rows, [](const auto& row) { return row.line->place; })
      .column("source", "", rows, [](const auto& row) { return row.line->text; })
      .column("samples", "1", rows, [](const auto& row) { return row.line->samples; })
      .column("stalled", "1", rows, [](const auto& row) { return row.line->stalled; })
      .column("share", "ratio", rows, [](const auto& row) { return share_of(row.line->stalled, *row.kernel); })
      .column("why", "", rows, [](const auto& row) { return row.line->reasons; })
      .column("waits for", "", rows, [](const auto& row) { return row.line->waits_for; })
      .column("sectors", "1", rows, [](const auto& row) { return row.line->sectors; })
      .column("sectors needed", "1", rows, [](const auto& row) { return row.line->needed; });
  sink.table(table);
  to.emit(sink);
}

void emit_changes(const StudyView& view, std::size_t before, std::size_t after, StudySink& sink) {
  const std::vector<StallKernel> of_before = kernels_from_rows(view, before), of_after = kernels_from_rows(view, after);
  std::vector<KernelPair> pairs = pairs_of(of_before, of_after);
  std::vector<std::string> texts;
  for (const KernelPair& pair : pairs)
    if (pair.before.duration > 0 && pair.after.duration > 0 && texts.size() < kShown)
      texts.push_back(filled("{} {}", {names_of(pair), change_text(pair.after.duration / pair.before.duration, "ns")}));
  const std::string headline =
      texts.empty() ? counted(pairs.size(), "pair") + " of kernels, without durations" : listed(texts);
  sink.finding({.role = FindingRole::kAnswer,
                .title = headline,
                .text = headline + ".",
                .effect = {},
                .labels = {},
                .evidence = {}});
  page::Sections to;
  to.page({}, headline);
  std::list<std::string> ids;
  for (KernelPair& pair : pairs) {
    find_changes(pair);
    const std::string& id = ids.emplace_back("lines_" + std::to_string(ids.size()));
    sink.table(change_table(id, pair));
    to.section(filled("{}: {}", {names_of(pair), totals_of(pair)}),
               {.table = id.c_str(),
                .columns = "change=|line|source|before=stalled|after|sectors before=sectors|sectors after=after",
                .rows = 8,
                .unknown_empty = true});
  }
  to.section("About the comparison");
  to.add_sentence(
      "a line is the same if its text is; better and worse are beyond three standard deviations of the sampled counts, "
      "and runs may differ by more");
  to.emit(sink);
}

}  // namespace assay::stall_lines
