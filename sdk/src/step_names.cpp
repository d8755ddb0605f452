#include "assay/detail/step_names.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::step {

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {  // let the last '*' match one more character
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Names::Names(const Report& report, const NamePatterns& patterns, const NameRules& classes)
    : report_(&report),
      patterns_(&patterns),
      classes_(&classes),
      known_(static_cast<std::size_t>(report.strings.size)),
      known_kernels_(known_.size()) {
  for (const std::string& word : patterns.communication) words_.push_back(lower_case(word));
}

NameMeaning Names::meaning_of(StringId name) {
  NameMeaning& known = known_[name];
  if (known == NameMeaning::kNotAsked) known = look_up(report_->string(name));
  return known;
}

bool Names::kernel_communicates(StringId name) {
  if (classes_->empty()) return meaning_of(name) == NameMeaning::kCommunication;
  NameMeaning& known = known_kernels_[name];
  if (known == NameMeaning::kNotAsked) {
    const bool communicates = classes_->class_of(report_->string(name)) == patterns_->communication_class;
    known = communicates ? NameMeaning::kCommunication : NameMeaning::kNothing;
  }
  return known == NameMeaning::kCommunication;
}

NameMeaning Names::look_up(std::string_view name) const {
  const auto any = [](const std::vector<std::string>& patterns, auto&& fits) {
    return std::any_of(patterns.begin(), patterns.end(), fits);
  };
  if (any(patterns_->steps, [&](const std::string& p) { return range_name_matches(p, name); }))
    return NameMeaning::kStep;
  if (any(patterns_->data_loader, [&](const std::string& p) { return matches(p, name); }))
    return NameMeaning::kDataLoader;
  const std::string text = lower_case(name);
  const bool communicates = any(words_, [&](const std::string& w) { return text.find(w) != std::string::npos; });
  return communicates ? NameMeaning::kCommunication : NameMeaning::kNothing;
}

namespace {

/// Ranges with the same folded name.
struct Family {
  std::int32_t depth = std::numeric_limits<std::int32_t>::max();
  std::int64_t time = 0;
  std::map<std::uint32_t, std::size_t> on_thread;
};

/// "XlaModule:#hlo_module=jit_step,program_id=9955#": a runtime range with its arguments. They contain numbers and
/// repeat for each program that is compiled or run.
bool has_arguments(std::string_view name) { return name.ends_with('#') && name.find(":#") != std::string_view::npos; }

std::map<std::string, Family> families_of(const RangeTable& ranges, const Report& report) {
  std::map<std::string, Family> families;
  std::vector<std::optional<Family*>> of_name(static_cast<std::size_t>(report.strings.size));  // null: of none
  for (std::size_t r = 0; r < ranges.rows; ++r) {
    std::optional<Family*>& known = of_name[ranges.name[r]];
    if (!known) {
      known = nullptr;
      const std::string_view name = report.string(ranges.name[r]);
      const std::string folded = folded_name(name);
      const bool counts = folded != name && folded.find("{i}") != std::string::npos && folded.size() > 3 &&
                          lower_case(name).find("warm") == std::string::npos && !has_arguments(name);
      if (counts) known = &families[folded];
    }
    Family* const family = *known;
    if (family == nullptr) continue;
    family->depth = std::min(family->depth, ranges.depth.present() ? ranges.depth[r] : 0);
    family->time += ranges.end[r] - ranges.start[r];
    ++family->on_thread[ranges.thread[r]];
  }
  return families;
}

/// Device time of work launched inside the ranges, and of all work.
std::pair<std::int64_t, std::int64_t> device_time_in(const Report& report, const NamedRanges& ranges) {
  std::int64_t in = 0, all = 0;
  std::int32_t last = kNone;  // work sorted by start is mostly launched in the same range as the work before
  const auto is_inside = [&](Row call) {
    const auto c = static_cast<std::size_t>(call);
    if (last != kNone) {
      const NamedRanges::Instance& range = ranges.instances()[static_cast<std::size_t>(last)];
      const bool same = range.process == report.threads->process[report.calls->thread[c]];
      if (same && range.start <= report.calls->start[c] && range.end >= report.calls->end[c]) return true;
    }
    last = ranges.of_call(call);
    return last != kNone;
  };
  const auto add = [&](const auto* work) {
    for (std::size_t w = 0; work != nullptr && w < work->rows; ++w) {
      const std::int64_t time = work->end[w] - work->start[w];
      all += time;
      in += work->call[w] >= 0 && is_inside(work->call[w]) ? time : 0;
    }
  };
  add(report.kernels);
  add(report.graphs);
  add(report.copies);
  add(report.sets);
  return {in, all};
}

}  // namespace

std::string found_steps(const Report& report) {
  constexpr std::size_t kMaxFamilies = 32;
  if (report.ranges == nullptr || report.calls == nullptr) return {};
  std::map<std::string, Family> families = families_of(*report.ranges, report);
  std::vector<std::pair<const std::string, Family>*> sorted;
  for (auto& family : families) {
    const auto often = [](const auto& thread) { return thread.second >= 3; };
    if (std::any_of(family.second.on_thread.begin(), family.second.on_thread.end(), often)) sorted.push_back(&family);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->second.depth != b->second.depth ? a->second.depth < b->second.depth : a->second.time > b->second.time;
  });
  for (std::size_t f = 0; f < std::min(sorted.size(), kMaxFamilies); ++f) {
    const NamedRanges ranges(report, std::span(&sorted[f]->first, 1));
    if (!ranges.by_time()) continue;  // concurrent on several threads (a compiler's), so not a sequence of steps
    const auto [in, all] = device_time_in(report, ranges);
    if (all > 0 && in >= all - in) return sorted[f]->first;
  }
  return {};
}

}  // namespace assay::step
