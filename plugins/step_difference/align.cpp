#include "align.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <numeric>
#include <unordered_set>

#include "algo/functions/function_name.hpp"
#include "launch_diff.hpp"
#include "portable_name.hpp"

namespace assay::difference {
namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);

bool is_kernel(const Item& item) {
  return item.key.kind == ItemKind::kKernel || item.key.kind == ItemKind::kCommunication ||
         item.key.kind == ItemKind::kGraph;
}

/// First position of each item among the launches of a step.
std::vector<std::size_t> first_places(const Side& side) {
  std::vector<std::size_t> places(side.items.size(), kNever);
  for (std::size_t i = 0; i < side.launches.size(); ++i) {
    std::size_t& place = places[side.launches[i]];
    if (place == kNever) place = i;
  }
  return places;
}

/// Launches per step, rounded.
std::string count_text(const Side& side, const Item& item) {
  return std::to_string((item.sums.count + side.steps / 2) / std::max<std::int64_t>(1, side.steps));
}

std::string together(std::initializer_list<std::string_view> texts) {
  std::string out;
  for (const std::string_view text : texts) out.append(text).push_back('\x1f');
  return out;
}

std::string_view name_of(const Item& item) {
  return item.key.kind == ItemKind::kKernel ? without_running_number(item.key.name) : std::string_view(item.key.name);
}

/// The name without parts specific to a tool or vendor.
std::string portable(const Item& item) {
  return is_kernel(item)                    ? portable_name(name_of(item))
         : item.key.kind == ItemKind::kIdle ? std::string(portable_call(item.key.name))
                                            : item.key.name;
}

/// The path; of idle time without the lines of functions, which every edit of a file moves.
std::string path_of(const Item& item) {
  return item.key.kind == ItemKind::kIdle ? functions::without_lines(item.key.path) : item.key.path;
}

bool is_any(const Item&) { return true; }
bool is_work(const Item& item) { return item.key.kind != ItemKind::kIdle; }
bool is_copy(const Item& item) { return is_work(item) && !is_kernel(item); }

/// What two items have in common to match. kBase: the name without template arguments; kCount: launches per step.
constexpr unsigned kPath = 1, kOp = 2, kInputs = 4, kName = 8, kPortable = 16, kBase = 32, kShape = 64, kCount = 128;

struct Tier {
  Match match;
  bool (*of)(const Item& item);
  unsigned common;
};

constexpr Tier kTiers[] = {{Match::kSame, &is_any, kPath | kOp | kInputs | kName | kShape},
                           {Match::kSame, &is_any, kPath | kOp | kName | kShape},
                           {Match::kSame, &is_any, kPath | kOp | kPortable | kShape},
                           {Match::kOtherShape, &is_any, kPath | kOp | kName},
                           {Match::kOtherTemplate, &is_kernel, kPath | kOp | kBase | kShape | kCount},
                           {Match::kOtherTemplate, &is_kernel, kPath | kOp | kBase | kCount},
                           {Match::kSame, &is_work, kPath | kName | kShape},
                           {Match::kMoved, &is_work, kPortable | kShape | kCount},
                           {Match::kMoved, &is_kernel, kBase | kShape | kCount},
                           {Match::kOtherShape, &is_copy, kPath | kName}};

/// Empty: the tier is not for this item.
std::string key_of(const Tier& tier, const Side& side, const Item& item) {
  if (!tier.of(item)) return {};
  const auto part = [&](unsigned which, std::string_view text) { return (tier.common & which) != 0 ? text : ""; };
  const std::string path = (tier.common & kPath) != 0 ? path_of(item) : std::string();
  const std::string name = (tier.common & kPortable) != 0 ? portable(item) : std::string(part(kName, name_of(item)));
  const std::string count = (tier.common & kCount) != 0 ? count_text(side, item) : std::string();
  return together({kind_name(item.key.kind), path, part(kOp, item.key.op), part(kInputs, item.key.inputs), name,
                   part(kBase, without_running_number(item.traits.base)), part(kShape, item.key.shape), count});
}

/// Pairs items with equal keys in launch order.
void pair_up(const Side& before, const Side& after, const Tier& tier, std::vector<std::uint32_t>& to,
             std::vector<std::uint32_t>& from, std::vector<AlignedItem>& rows) {
  const std::vector<std::size_t> place_before = first_places(before), place_after = first_places(after);
  std::map<std::string, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> alike;
  for (std::uint32_t i = 0; i < before.items.size(); ++i) {
    if (to[i] != kNoItem) continue;
    if (std::string key = key_of(tier, before, before.items[i]); !key.empty()) alike[std::move(key)].first.push_back(i);
  }
  for (std::uint32_t i = 0; i < after.items.size(); ++i) {
    if (from[i] != kNoItem) continue;
    const std::string key = key_of(tier, after, after.items[i]);
    if (const auto at = alike.find(key); at != alike.end()) at->second.second.push_back(i);
  }
  for (auto& [key, both] : alike) {
    auto& [b, a] = both;
    std::stable_sort(b.begin(), b.end(), [&](auto x, auto y) { return place_before[x] < place_before[y]; });
    std::stable_sort(a.begin(), a.end(), [&](auto x, auto y) { return place_after[x] < place_after[y]; });
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      to[b[i]] = a[i];
      from[a[i]] = b[i];
      rows.push_back({tier.match, b[i], a[i], 0});
    }
  }
}

/// Union-find over rows.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t rows) : of_(rows) { std::iota(of_.begin(), of_.end(), 0U); }
  std::uint32_t find(std::uint32_t row) {
    while (of_[row] != row) row = of_[row] = of_[of_[row]];
    return row;
  }
  void join(std::uint32_t a, std::uint32_t b) { of_[find(b)] = find(a); }

 private:
  std::vector<std::uint32_t> of_;
};

/// Items that disappeared and appeared within one operator at one place: with equal inputs, else with any.
class OperatorGroups {
 public:
  OperatorGroups(const Side& before, const Side& after, const Alignment& alignment) {
    for (const bool by_inputs : {true, false}) {
      std::map<std::string, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> found;
      for (std::uint32_t r = 0; r < alignment.rows.size(); ++r) {
        const AlignedItem& row = alignment.rows[r];
        if ((row.match != Match::kNew && row.match != Match::kGone) || holds(r)) continue;
        const Item& item = row.before != kNoItem ? before.items[row.before] : after.items[row.after];
        if (!is_kernel(item) || item.key.op.empty()) continue;
        auto& both = found[together({item.key.path, item.key.op, by_inputs ? item.key.inputs : std::string()})];
        (row.match == Match::kGone ? both.first : both.second).push_back(r);
      }
      for (auto& [place, both] : found) {
        if (both.first.empty() || both.second.empty()) continue;
        both.first.insert(both.first.end(), both.second.begin(), both.second.end());
        held_.insert(both.first.begin(), both.first.end());
        groups_.push_back(std::move(both.first));
      }
    }
  }

  [[nodiscard]] bool holds(std::uint32_t row) const { return held_.contains(row); }
  void join(DisjointSets& rows) const {
    for (const std::vector<std::uint32_t>& group : groups_) {
      for (const std::uint32_t row : group) rows.join(group.front(), row);
    }
  }

 private:
  std::vector<std::vector<std::uint32_t>> groups_;
  std::unordered_set<std::uint32_t> held_;
};

/// Rows that changed at one place of the step: adjacent, launched in one operator, or between the same unchanged
/// neighbours.
DisjointSets join_rows(const Side& before, const Side& after, const Alignment& alignment) {
  DisjointSets joined(alignment.rows.size());
  std::vector<std::uint32_t> row_before(before.items.size(), 0), row_after(after.items.size(), 0);
  for (std::uint32_t r = 0; r < alignment.rows.size(); ++r) {
    if (alignment.rows[r].before != kNoItem) row_before[alignment.rows[r].before] = r;
    if (alignment.rows[r].after != kNoItem) row_after[alignment.rows[r].after] = r;
  }
  std::vector<std::uint32_t> b, a;
  for (const std::uint32_t item : before.launches) b.push_back(row_before[item]);
  for (const std::uint32_t item : after.launches) a.push_back(row_after[item]);
  const auto path_of = [&](std::uint32_t row) -> const std::string& {
    const AlignedItem& item = alignment.rows[row];
    return item.before != kNoItem ? before.items[item.before].key.path : after.items[item.after].key.path;
  };
  const auto changes_count = [&](std::uint32_t row) {
    const AlignedItem& item = alignment.rows[row];
    if (item.before == kNoItem || item.after == kNoItem) return true;
    return count_text(before, before.items[item.before]) != count_text(after, after.items[item.after]);
  };
  const OperatorGroups by_operator(before, after, alignment);
  for (const LaunchGap& gap : launch_gaps(b, a)) {
    std::map<std::string, std::uint32_t> first;  // a range ends a group
    const auto add = [&](std::uint32_t row) {
      if (!changes_count(row) || by_operator.holds(row)) return;  // only its position changed
      const auto [at, added] = first.try_emplace(path_of(row), row);
      if (!added) joined.join(at->second, row);
    };
    std::for_each(b.begin() + gap.before_from, b.begin() + gap.before_to, add);
    std::for_each(a.begin() + gap.after_from, a.begin() + gap.after_to, add);
  }
  by_operator.join(joined);
  return joined;
}

/// Idle time is identified by the call the host waited for, or else by its cause and place.
std::string idle_place(const Item& item) {
  return together({path_of(item), portable_call(item.key.name), item.key.name.empty() ? item.key.op : std::string()});
}

void find_changes(const Side& before, const Side& after, Alignment& alignment) {
  DisjointSets joined = join_rows(before, after, alignment);
  std::map<std::string, std::uint32_t> idle;
  const auto item_of = [&](const AlignedItem& row) -> const Item& {
    return row.before != kNoItem ? before.items[row.before] : after.items[row.after];
  };
  for (std::uint32_t r = 0; r < alignment.rows.size(); ++r) {
    const Item& item = item_of(alignment.rows[r]);
    if (item.key.kind != ItemKind::kIdle) continue;
    const auto [at, added] = idle.try_emplace(idle_place(item), r);
    if (!added) joined.join(at->second, r);
  }
  std::map<std::uint32_t, std::uint32_t> place;
  for (std::uint32_t r = 0; r < alignment.rows.size(); ++r) {
    const auto [at, added] = place.try_emplace(joined.find(r), static_cast<std::uint32_t>(alignment.changes.size()));
    if (added) alignment.changes.emplace_back();
    alignment.rows[r].change = at->second;
    alignment.changes[at->second].rows.push_back(r);
  }
  for (Change& change : alignment.changes) {
    bool gone = false, fresh = false;
    for (const std::uint32_t r : change.rows) {
      const AlignedItem& row = alignment.rows[r];
      if (item_of(row).key.kind == ItemKind::kIdle) continue;
      gone = gone || row.match == Match::kGone;
      fresh = fresh || row.match == Match::kNew;
    }
    change.replaced = gone && fresh;
  }
}

/// Shares of kernel time: with a partner, and with a partner or replaced (see Share).
Share aligned_share(const Side& side, const Alignment& alignment, std::uint32_t AlignedItem::* own,
                    std::uint32_t AlignedItem::* other) {
  std::int64_t all = 0, partner = 0, place = 0;
  for (const AlignedItem& row : alignment.rows) {
    if (row.*own == kNoItem || !is_kernel(side.items[row.*own])) continue;
    const std::int64_t time = side.items[row.*own].sums.device;
    all += time;
    if (row.*other != kNoItem) partner += time;
    if (row.*other != kNoItem || alignment.changes[row.change].replaced) place += time;
  }
  const auto share = [&](std::int64_t part) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 1;
  };
  return {share(partner), share(place)};
}

}  // namespace

Alignment align(const Side& before, const Side& after) {
  Alignment out;
  std::vector<std::uint32_t> to(before.items.size(), kNoItem), from(after.items.size(), kNoItem);
  for (const Tier& tier : kTiers) pair_up(before, after, tier, to, from, out.rows);
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    if (to[i] == kNoItem) out.rows.push_back({Match::kGone, i, kNoItem, 0});
  }
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    if (from[i] == kNoItem) out.rows.push_back({Match::kNew, kNoItem, i, 0});
  }
  find_changes(before, after, out);
  out.before = aligned_share(before, out, &AlignedItem::before, &AlignedItem::after);
  out.after = aligned_share(after, out, &AlignedItem::after, &AlignedItem::before);
  return out;
}

}  // namespace assay::difference
