#include <algorithm>
#include <cmath>
#include <list>
#include <optional>

#include "algo/page_sections.hpp"
#include "algo/short_name.hpp"
#include "assay/words.hpp"
#include "lines.hpp"

namespace assay::stall_lines {
namespace {

constexpr std::size_t kMaxKernels = 6, kShown = 3;
constexpr const char* kNoLines =
    "code has lines if it was built with nvcc -lineinfo or by Triton; that of libraries has none";

/// "33.6 M".
std::string count_text(std::int64_t count) {
  return count < 1'000'000 ? std::to_string(count) : printed("%.3g M", double(count) / 1e6);
}

/// The line without what follows two blanks: mostly a comment.
std::string code_text(const StallLine& line, std::size_t most) {
  return short_name(std::string_view(line.text).substr(0, line.text.find("  ")), most);
}

/// "lines.py:12 `v = tl.load(x)`: 60 % of the samples (34 % mio throttle); 8 times the sectors it needs".
std::string line_text(const StallLine& line) {
  const std::string code = line.text.empty() ? "" : filled(" `{}`", {code_text(line, 60)});
  std::string text = filled("{}{}: {} of the samples", {line.place, code, percent(line.share(), 0)});
  const std::string wait = line.waits_for.empty() ? "" : "; waits for " + line.waits_for;
  if (!line.reasons.empty()) text += filled(" ({}{})", {line.reasons, wait});
  if (constexpr double kExcess = 1.1; line.needed > 0 && line.sector_ratio() > kExcess)
    text += filled("; accesses {} times the sectors it needs ({} for {})",
                   {printed("%.2g", line.sector_ratio()), count_text(line.sectors), count_text(line.needed)});
  return text;
}

/// " (bound by memory, 13 % of the roof)".
std::string limit_text(const StudyView& view, std::size_t report, const StallLine& kernel) {
  const auto roof = view.value(report, "ncu.roof_ratio", "kernel=" + kernel.short_name);
  const std::string share = roof ? filled(", {} of the roof", {page::share_text(*roof)}) : "";
  return kernel.bound.empty() ? "" : filled(" (bound by {}{})", {kernel.bound, share});
}

/// A line of either side, or of both.
struct LineChange {
  const StallLine* before;
  const StallLine* after;
  const char* change;
  std::int64_t stalled_after = 0;  ///< at the interval of the samples before

  [[nodiscard]] const StallLine& either() const { return before != nullptr ? *before : *after; }
  [[nodiscard]] std::int64_t most() const { return std::max(before == nullptr ? 0 : before->stalled, stalled_after); }
};

struct KernelPair {
  StallKernel before, after;
  [[nodiscard]] std::string names() const {
    const std::string &from = before[0].kernel, &to = after[0].kernel;
    return from == to ? short_name(from) : filled("{} -> {}", {short_name(from), short_name(to)});
  }
};

/// Kernels by name; the others by their place among the others.
std::vector<KernelPair> pairs_of(const std::vector<StallKernel>& before, const std::vector<StallKernel>& after) {
  std::vector<KernelPair> pairs;
  const auto named = [](const std::vector<StallKernel>& kernels, StallKernel as) {
    return std::ranges::find_if(kernels, [&](StallKernel kernel) { return kernel[0].kernel == as[0].kernel; });
  };
  auto other = after.begin();
  for (const StallKernel kernel : before) {
    if (const auto same = named(after, kernel); same != after.end()) {
      pairs.push_back({kernel, *same});
      continue;
    }
    while (other != after.end() && named(before, *other) != before.end()) ++other;
    if (other != after.end()) pairs.push_back({kernel, *other++});
  }
  return pairs;
}

/// Of lines with 1 % of the samples of a side, most samples first. Equal text is one line, wherever it moved; without a
/// text, an equal place. Instructions of two builds have nothing in common.
std::vector<LineChange> changes_of(const KernelPair& pair) {
  const double scale =
      pair.before[0].interval > 0 && pair.after[0].interval > 0 ? pair.after[0].interval / pair.before[0].interval : 1;
  const auto scaled = [&](const StallLine& line) { return std::llround(scale * double(line.stalled)); };
  std::vector<const StallLine*> rest;
  std::vector<LineChange> changes;
  for (const StallLine& line : pair.after)
    if (line.has_line != 0) rest.push_back(&line);
  for (const StallLine& line : pair.before) {
    if (line.has_line == 0) continue;
    const auto same = std::ranges::find_if(rest, [&](const StallLine* other) {
      return line.text.empty() ? line.place == other->place : line.text == other->text;
    });
    if (same == rest.end()) {
      changes.push_back({&line, nullptr, "gone"});
      continue;
    }
    // Samples are counts: three standard deviations of their difference.
    const auto after = scaled(**same), difference = after - line.stalled;
    const double noise = 3 * std::sqrt(double(line.stalled) + scale * double(after));
    const bool is_same = std::abs(double(difference)) <= noise;
    changes.push_back({&line, *same, is_same ? "same" : difference > 0 ? "worse" : "better", after});
    rest.erase(same);
  }
  for (const StallLine* line : rest) changes.push_back({nullptr, line, "new", scaled(*line)});
  std::erase_if(changes, [](const LineChange& one) {
    return (one.before == nullptr || one.before->share() < kWorthSaying) &&
           (one.after == nullptr || one.after->share() < kWorthSaying);
  });
  std::ranges::stable_sort(changes, std::ranges::greater(), &LineChange::most);
  return changes;
}

/// "233 us -> 1.03 ms (4.41x slower), sectors 33.6 M -> 4.19 M, samples 21318 -> 23621".
std::string totals_text(const KernelPair& pair) {
  const StallLine &before = pair.before[0], &after = pair.after[0];
  const std::string text = filled("sectors {} -> {}, samples {} -> {}",
                                  {count_text(before.kernel_sectors), count_text(after.kernel_sectors),
                                   count_text(before.kernel_samples), count_text(after.kernel_samples)});
  if (!(before.duration > 0 && after.duration > 0)) return text;
  return filled("{} -> {} ({}), {}", {time_text(before.duration), time_text(after.duration),
                                      change_text(after.duration / before.duration, "ns"), text});
}

Table change_table(const std::string& id, const KernelPair& pair, const std::vector<LineChange>& changes) {
  using Count = std::optional<std::int64_t>;
  const auto places = [](const LineChange& one) {
    if (one.before == nullptr || one.after == nullptr || one.before->place == one.after->place)
      return one.either().place;
    return filled("{} -> {}", {one.before->place, one.after->place.substr(one.after->place.rfind(':') + 1)});
  };
  const auto count = [](const StallLine* line, std::int64_t StallLine::* of) {
    return line == nullptr ? Count() : line->*of;
  };
  Table table(id, "Lines of " + pair.names());
  table.column("change", "", changes, &LineChange::change)
      .column("line", "", changes, places)
      .column("source", "", changes, [](const auto& one) { return code_text(one.either(), 24); })
      .column("before", "1", changes, [&](const auto& one) { return count(one.before, &StallLine::stalled); })
      .column("after", "1", changes,
              [&](const auto& one) { return one.after == nullptr ? Count() : one.stalled_after; })
      .column("sectors before", "1", changes, [&](const auto& one) { return count(one.before, &StallLine::sectors); })
      .column("sectors after", "1", changes, [&](const auto& one) { return count(one.after, &StallLine::sectors); });
  return table;
}

}  // namespace

void emit_lines(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink) {
  page::Sections to;
  for (const std::size_t report : reports) {
    to.page(view.path(report), {});
    const std::vector<StallLine> lines = lines_from_rows(view, report);
    std::vector<StallKernel> kernels = kernels_of(lines);
    std::ranges::stable_sort(kernels, std::ranges::greater(), [](StallKernel one) { return one[0].kernel_samples; });
    bool has_instructions = false;
    for (std::size_t k = 0; k < std::min(kernels.size(), kMaxKernels) && kernels[k][0].kernel_samples > 0; ++k) {
      to.section(
          filled("Where {} stalls{}", {short_name(kernels[k][0].kernel), limit_text(view, report, kernels[k][0])}));
      for (const StallLine& line : kernels[k].first(std::min(kernels[k].size(), kShown))) {
        if (line.share() < kWorthSaying) continue;
        to.add_sentence(line_text(line));
        has_instructions = has_instructions || line.has_line == 0;
      }
    }
    if (kernels.size() > kMaxKernels)
      to.add_sentence(filled("and {} with fewer samples: assay query REPORT 'SELECT * FROM source'",
                             {counted(kernels.size() - kMaxKernels, "kernel")}));
    if (has_instructions) to.add_sentence(filled("instructions stand where no line is known: {}", {kNoLines}));
  }
  to.emit(sink);
}

void emit_changes(const StudyView& view, std::size_t before, std::size_t after, StudySink& sink) {
  const std::vector<StallLine> of_before = lines_from_rows(view, before), of_after = lines_from_rows(view, after);
  const std::vector<KernelPair> pairs = pairs_of(kernels_of(of_before), kernels_of(of_after));
  std::vector<std::string> texts;
  for (const KernelPair& pair : pairs) {
    const double ratio = pair.after[0].duration / pair.before[0].duration;
    if (ratio > 0 && texts.size() < kShown) texts.push_back(filled("{} {}", {pair.names(), change_text(ratio, "ns")}));
  }
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
  for (const KernelPair& pair : pairs) {
    const std::string& id = ids.emplace_back("lines_" + std::to_string(ids.size()));
    const std::vector<LineChange> changes = changes_of(pair);
    sink.table(change_table(id, pair, changes));
    to.section(filled("{}: {}", {pair.names(), totals_text(pair)}),
               {.table = id.c_str(),
                .columns = "change=|line|source|before=stalled|after|sectors before=sectors|sectors after=after",
                .rows = 8,
                .unknown_empty = true});
    if (changes.empty()) to.add_sentence(filled("no lines are known: {}", {kNoLines}));
  }
  to.section("About the comparison");
  for (const auto& [side, lines] : {std::pair("before", &of_before), std::pair("after", &of_after)}) {
    for (const StallKernel kernel : kernels_of(*lines)) {
      const bool is_paired = std::ranges::any_of(pairs, [&](const KernelPair& pair) {
        return pair.before.data() == kernel.data() || pair.after.data() == kernel.data();
      });
      if (!is_paired) to.add_sentence(filled("only {}: {}", {side, short_name(kernel[0].kernel)}));
    }
  }
  to.add_sentence(
      "a line is the same if its text is; better and worse are beyond three standard deviations of the sampled counts, "
      "and runs may differ by more");
  to.emit(sink);
}

}  // namespace assay::stall_lines
