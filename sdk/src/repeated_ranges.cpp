#include "repeated_ranges.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::step {
namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#{i}";
constexpr std::size_t kLeast = 3, kMostAncestors = 64;

enum class NameRole : std::uint8_t { kMark, kUsual, kUnit, kOther, kContainer, kNoStep };

bool holds_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

/// "XlaModule:#hlo_module=jit_step,program_id=9955#": a runtime's range with its arguments, which repeats for each
/// program that is compiled or run.
bool has_arguments(std::string_view name) { return name.ends_with('#') && name.find(":#") != std::string_view::npos; }

/// Of a folded name.
NameRole role_of(std::string_view folded) {
  static constexpr std::array<std::string_view, 8> kContainers{"epoch", "request", "session",  "rollout",
                                                               "trial", "phase",   "measured", "loop"};
  static constexpr std::array<std::string_view, 5> kUnits{"step", "iter", "decode", "batch", "token"};
  static constexpr std::array<std::string_view, 8> kUsual{"step",       "iteration",     "iter",  "train_step",
                                                          "train step", "training_step", "batch", "train"};
  if (folded == kProfilerStep) return NameRole::kMark;
  const std::string name = lower_case(folded);
  if (name.empty() || name.find("warm") != std::string::npos || has_arguments(name)) return NameRole::kNoStep;
  const std::size_t number = name.find("{i}");
  if (number != std::string::npos && number > 0 && number + 3 == name.size()) {
    std::string_view word(name.data(), number);
    while (word.ends_with('_') || word.ends_with(' ') || word.ends_with('-') || word.ends_with('#'))
      word.remove_suffix(1);
    if (std::ranges::find(kUsual, word) != kUsual.end()) return NameRole::kUsual;
    if (word == "run") return NameRole::kContainer;
  }
  return holds_any(name, kContainers) ? NameRole::kContainer
         : holds_any(name, kUnits)    ? NameRole::kUnit
                                      : NameRole::kOther;
}

struct Family {
  NameRole role = NameRole::kNoStep;
  std::vector<StepPlace> places;  ///< by start
  std::vector<std::int32_t> depths;
};

/// Families of ranges by (thread, folded name), without ranges inside one of their own family.
class Families {
 public:
  explicit Families(const Report& report) : report_(report), of_name_(report.strings.size, kUnseen) {
    add(report.ranges, true);
    add(report.spans, false);
  }
  [[nodiscard]] std::map<std::pair<std::uint32_t, std::string>, Family>& all() { return all_; }

 private:
  static constexpr std::int32_t kUnseen = -1, kNoFamily = -2;

  /// Number of a folded name; kNoFamily: its ranges are no steps.
  std::int32_t fold(StringId name) {
    std::int32_t& known = of_name_[name];
    if (known != kUnseen) return known;
    std::string folded = folded_name(report_.string(name));
    const NameRole role = role_of(folded);
    if (role == NameRole::kNoStep) return known = kNoFamily;
    const auto at = std::ranges::find(folded_, folded, &std::pair<std::string, NameRole>::first);
    known = static_cast<std::int32_t>(at - folded_.begin());
    if (at == folded_.end()) folded_.emplace_back(std::move(folded), role);
    return known;
  }

  [[nodiscard]] bool is_inside_itself(const RangeTable& table, std::size_t row, std::int32_t own) {
    Row outer = table.parent.present() ? table.parent[row] : kNone;
    for (std::size_t n = 0; outer >= 0 && n < kMostAncestors; ++n, outer = table.parent[outer]) {
      if (fold(table.name[outer]) == own && table.end[outer] >= table.end[row]) return true;
    }
    return false;
  }

  void add(const RangeTable* table, bool nested) {
    const Window& window = *report_.window;
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const std::int32_t family = fold(table->name[r]);
      if (family < 0 || table->end[r] < table->start[r]) continue;
      if (window.named == 1 && (table->start[r] < window.host_start || table->end[r] > window.host_end)) continue;
      if (nested && is_inside_itself(*table, r, family)) continue;
      const auto& [folded, role] = folded_[static_cast<std::size_t>(family)];
      Family& own = all_[{table->thread[r], folded}];
      own.role = role;
      own.places.push_back({table->start[r], table->end[r], table->name[r], table->thread[r],
                            nested ? static_cast<Row>(r) : kNone, table->open.present() && table->open[r] != 0});
      own.depths.push_back(table->depth.present() ? table->depth[r] : 0);
    }
  }

  const Report& report_;
  std::vector<std::int32_t> of_name_;
  std::vector<std::pair<std::string, NameRole>> folded_;
  std::map<std::pair<std::uint32_t, std::string>, Family> all_;
};

/// Whether they are one after the other.
bool is_sequence(const std::vector<StepPlace>& places) {
  std::int64_t common = 0, all = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    all += places[p].end - places[p].start;
    if (p > 0) common += std::max<std::int64_t>(0, places[p - 1].end - places[p].start);
  }
  return common <= all / 100;
}

/// Device time that is launched while they last.
std::int64_t time_in(const std::vector<StepPlace>& places, const Launches& launches) {
  std::int64_t time = 0;
  for (const StepPlace& place : places) time += launches.time(place.start, place.end);
  return time;
}

struct Candidate {
  std::int32_t depth = 0;
  std::int64_t time = 0;
  NameRole role = NameRole::kNoStep;
  Family* family = nullptr;
};

/// The candidate that is the steps; null: none.
Family* chosen(std::vector<Candidate> all) {
  const auto has = [&](auto&&... roles) {
    return std::ranges::any_of(all, [&](const Candidate& c) { return ((c.role == roles) || ...); });
  };
  if (has(NameRole::kUsual, NameRole::kUnit))
    std::erase_if(all, [](const Candidate& c) { return c.role == NameRole::kContainer; });
  const auto outermost = std::ranges::min_element(
      all, {}, [](const Candidate& c) { return std::tuple(c.role != NameRole::kMark, c.depth, -c.time); });
  return outermost == all.end() ? nullptr : outermost->family;
}

/// `launches`: of its process; where other processes launch work, one that launches none has no steps.
bool qualifies(const Family& family, const Launches& launches, std::int64_t time, bool any_work) {
  if (family.role == NameRole::kMark) return true;
  const bool usual = family.role == NameRole::kUsual;
  if (family.places.size() < (usual ? 1 : kLeast) || !is_sequence(family.places)) return false;
  return launches.total() == 0 ? usual && !any_work : time >= launches.total() - time;
}

}  // namespace

std::vector<RecognisedSteps> recognise_steps(const Report& report, const std::vector<Launches>& launches) {
  std::vector<RecognisedSteps> out(launches.size());
  std::vector<std::vector<Candidate>> candidates(launches.size());
  const bool any_work = std::ranges::any_of(launches, [](const Launches& own) { return own.total() > 0; });
  Families families(report);
  for (auto& [key, family] : families.all()) {
    const std::uint32_t process = report.threads->process[key.first];
    std::ranges::stable_sort(family.places, {}, &StepPlace::start);
    const std::int64_t time = time_in(family.places, launches[process]);
    if (!qualifies(family, launches[process], time, any_work)) continue;
    const auto middle = family.depths.begin() + static_cast<std::ptrdiff_t>(family.depths.size() / 2);
    std::ranges::nth_element(family.depths, middle);
    candidates[process].push_back({*middle, time, family.role, &family});
  }
  for (std::size_t p = 0; p < out.size(); ++p) {
    Family* const steps = chosen(std::move(candidates[p]));
    if (steps == nullptr) continue;
    out[p].source = steps->role == NameRole::kMark ? StepSource::kMarks : StepSource::kRanges;
    out[p].places = std::move(steps->places);
  }
  return out;
}

}  // namespace assay::step
