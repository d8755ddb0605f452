#include "algo/lever/removal.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "algo/lever/roofs.hpp"
#include "algo/replay/nodes.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/step_parts.hpp"

namespace assay::lever {
namespace {

using replay::EdgeKind;
using replay::Graph;
using replay::NodeKind;

constexpr std::int64_t kLaunchGap = 1'000'000;  ///< ns; longer code is not the cost of a launch
constexpr std::int64_t kSmallCopy = 256;        ///< bytes; a value that is read back
constexpr std::int64_t kLargeCopy = 64 * 1024;  ///< bytes
constexpr std::int64_t kCopyCall = 5'000;       ///< ns of a call that only enqueues a copy
constexpr std::int64_t kLockTurn = 5'200'000;   ///< ns; Python's interpreter lock changes hands every 5 ms
constexpr std::int64_t kLeastTurn = 4'500'000;  ///< ns
constexpr double kTurnShare = 0.12;             ///< of host code: how far turns may be off
constexpr std::int64_t kTurnSlack = 200'000;    ///< ns
constexpr std::size_t kTurnsPerStep = 5;
constexpr std::size_t kManyLaunches = 20;  ///< per step
constexpr std::size_t kMostPlaces = 6;     ///< ranges whose host code is tried
constexpr double kLeastShare = 0.02;       ///< of the steps, of host code that is tried

/// The lags of a graph, changed by items of a program.
class Editor {
 public:
  Editor(const Program& program, Graph& graph) : program_(program), graph_(graph) {}

  void scale_code(const HostCode& code, double factor) {
    std::int64_t& lag = graph_.edges[code.edge].lag;
    if (lag != replay::kNoLag)
      lag -= std::min<std::int64_t>(lag, code.time - std::llround(static_cast<double>(code.time) * factor));
    ++meant;
  }
  /// The call takes no time of its own; `most`: ns that it may still take.
  void free_call(const HostItem& item, std::int64_t most = 0) {
    each_edge(graph_.nodes[item.node].end, EdgeKind::kDuration, [&](std::int64_t& lag) { lag = std::min(lag, most); });
    ++meant;
  }
  void free_wait(const HostItem& item) {
    each_edge(graph_.nodes[item.node].end, EdgeKind::kWait, [](std::int64_t& lag) { lag = replay::kNoLag; });
  }
  /// The work takes no time, and starts no later than what is before it.
  void remove_work(std::uint32_t n) {
    const replay::Node& node = graph_.nodes[n];
    for (std::uint32_t e = graph_.first_edge[node.start]; e < graph_.first_edge[node.start + 1]; ++e) {
      std::int64_t& lag = graph_.edges[e].lag;
      if (lag != replay::kNoLag) lag = std::min<std::int64_t>(lag, 0);
    }
    scale_work(n, 0);
  }
  void scale_work(std::uint32_t n, double factor) {
    each_edge(graph_.nodes[n].end, EdgeKind::kDuration,
              [&](std::int64_t& lag) { lag = std::llround(static_cast<double>(lag) * factor); });
    ++meant;
  }
  void remove(const HostItem& item) {
    free_call(item);
    free_wait(item);
    for (const std::uint32_t work : program_.work_of(item)) remove_work(work);
  }
  std::size_t meant = 0;

 private:
  template <class Use>
  void each_edge(replay::Point to, EdgeKind kind, const Use& use) {
    for (std::uint32_t e = graph_.first_edge[to]; e < graph_.first_edge[to + 1]; ++e) {
      if (graph_.edges[e].kind == kind && graph_.edges[e].lag != replay::kNoLag) use(graph_.edges[e].lag);
    }
  }
  const Program& program_;
  Graph& graph_;
};

bool launches(const HostItem& item) { return item.role == CallRole::kLaunch || item.role == CallRole::kSet; }

std::int64_t bytes_of(const Program& program, std::uint32_t work) {
  const replay::Node& node = program.graph().nodes[work];
  const CopyTable* copies = program.report().copies;
  return node.kind == NodeKind::kCopy && copies->bytes.present() ? copies->bytes[node.row] : 0;
}

/// "h2d"; empty: no large copy between host and device.
std::string_view large_copy(const Program& program, std::uint32_t work) {
  if (bytes_of(program, work) <= kLargeCopy) return {};
  const CopyTable& copies = *program.report().copies;
  if (!copies.direction.present()) return {};
  const CopyDirection direction = copies.direction[program.graph().nodes[work].row];
  if (direction != CopyDirection::kHostToDevice && direction != CopyDirection::kDeviceToHost) return {};
  return direction_name(direction);
}

std::int64_t code_time(const Program& program, const HostItem& item) {
  std::int64_t sum = 0;
  for (const HostCode& code : program.code_before(item)) sum += code.time;
  return sum;
}

/// Whether host code is as long as turns of a thread that waits for the interpreter's lock.
bool is_turn(std::int64_t time) {
  if (time <= kLeastTurn) return false;
  const std::int64_t over = time % kLockTurn, off = std::min(over, kLockTurn - over);
  return static_cast<double>(off) < kTurnShare * static_cast<double>(time) + kTurnSlack;
}

/// The waits of a range, with the small copy before each, by number of item.
std::unordered_set<std::size_t> waits_in(const Program& program, Place place) {
  const std::vector<HostItem>& items = program.items();
  std::unordered_set<std::size_t> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].role != CallRole::kSync || items[i].place != place) continue;
    out.insert(i);
    std::size_t before = i;
    while (before > 0 && items[before - 1].role == CallRole::kOther) out.insert(--before);
    if (before == 0 || items[before - 1].role != CallRole::kCopy) continue;
    const auto copies = program.work_of(items[before - 1]);
    const std::int64_t bytes = copies.empty() ? kNone : bytes_of(program, copies.front());
    if (bytes >= 0 && bytes <= kSmallCopy) out.insert(before - 1);
  }
  return out;
}

/// Median host code of a range between two launches that nothing parts; nullopt: fewer than three.
std::optional<double> usual_code(const Program& program, Place place) {
  const std::vector<HostItem>& items = program.items();
  std::vector<std::int64_t> between;
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (items[i].place == place && items[i - 1].place == place && launches(items[i]) && launches(items[i - 1]))
      between.push_back(program.time_before(items[i], place));
  }
  if (between.size() < 3) return std::nullopt;
  return static_cast<double>(replay::middle(between));
}

/// Waits, the copies before them and the code between go; the code after them shrinks to what usually lies between two
/// launches: the host no longer catches up.
void remove_waits(const Program& program, Place place, Editor& edit) {
  const std::unordered_set<std::size_t> gone = waits_in(program, place);
  const std::optional<double> usual = usual_code(program, place);
  const std::vector<HostItem>& items = program.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool goes = gone.contains(i);
    if (goes) edit.remove(items[i]);
    double factor = goes ? 0 : 1;
    const auto own = static_cast<double>(program.time_before(items[i], place));
    if (!goes && i > 0 && gone.contains(i - 1) && usual && own > *usual) factor = *usual / own;
    if (factor == 1) continue;
    for (const HostCode& code : program.code_before(items[i])) {
      if (code.place == place) edit.scale_code(code, factor);
    }
  }
}

void free_launches(const Program& program, std::optional<Place> place, Editor& edit) {
  for (const HostItem& item : program.items()) {
    const bool calls = launches(item) || item.role == CallRole::kOther;
    if (calls && (!place || item.place == *place)) edit.free_call(item);
    for (const HostCode& code : program.code_before(item)) {
      if (code.time < kLaunchGap && (!place || code.place == *place)) edit.scale_code(code, 0);
    }
  }
}

void remove_host(const Program& program, Place place, bool whole, Editor& edit) {
  for (const HostItem& item : program.items()) {
    for (const HostCode& code : program.code_before(item)) {
      if (code.place == place || (place != kNoPlace && code.function == place)) edit.scale_code(code, 0);
    }
    if (whole && item.place == place && item.role != CallRole::kMark) edit.remove(item);
  }
}

void remove_copies(const Program& program, std::string_view direction, Editor& edit) {
  for (const HostItem& item : program.items()) {
    bool large = false;
    for (const std::uint32_t work : program.work_of(item)) {
      if (large_copy(program, work) != direction) continue;
      edit.remove_work(work);
      large = true;
    }
    if (!large || item.role != CallRole::kCopy) continue;
    edit.free_call(item, kCopyCall);
    edit.free_wait(item);
  }
}

void shorten(const Program& program, LeverKind kind, const NameRules& classes, Editor& edit) {
  const Shortening shortening = shortening_by(kind, program, classes);
  for (const auto& [work, factor] : shortening.work) {
    if (factor == 0)
      edit.remove_work(work);
    else
      edit.scale_work(work, factor);
  }
  for (const std::size_t i : shortening.launches) {
    edit.free_call(program.items()[i]);
    for (const HostCode& code : program.code_before(program.items()[i])) edit.scale_code(code, 0);
  }
}

}  // namespace

std::size_t remove(const Lever& lever, const Program& program, Graph& graph, const NameRules& classes) {
  Editor edit(program, graph);
  const Place place = program.place_named(lever.place);
  switch (lever.kind) {
    case LeverKind::kHostCode:
    case LeverKind::kRange:
      remove_host(program, place, lever.kind == LeverKind::kRange, edit);
      break;
    case LeverKind::kInterpreterLock:
      for (const HostItem& item : program.items()) {
        if (!is_turn(code_time(program, item))) continue;
        for (const HostCode& code : program.code_before(item)) edit.scale_code(code, 0);
      }
      break;
    case LeverKind::kLaunches:
      free_launches(program, place, edit);
      break;
    case LeverKind::kAllLaunches:
      free_launches(program, std::nullopt, edit);
      break;
    case LeverKind::kSync:
      remove_waits(program, place, edit);
      break;
    case LeverKind::kAllocation:
      for (const HostItem& item : program.items()) {
        if (item.role != CallRole::kAllocation) continue;
        edit.free_call(item);
        edit.free_wait(item);
      }
      break;
    case LeverKind::kCopies:
      remove_copies(program, lever.place, edit);
      break;
    case LeverKind::kFp32Products:
    case LeverKind::kAttention:
    case LeverKind::kPointwise:
      shorten(program, lever.kind, classes, edit);
      break;
  }
  return edit.meant;
}

namespace {

/// The ranges that are the steps, which hold all others.
Place place_of_steps(const Program& program) {
  const Report& report = program.report();
  if (report.steps == nullptr || report.steps->rows == 0) return kNoPlace;
  return program.place_named(folded_name(report.string(report.steps->name[0])));
}

/// Whether each step makes a token that the next one needs, so that one wait a step is no cost to remove.
bool makes_tokens(const Report& report) {
  if (report.steps == nullptr || report.steps->rows == 0) return false;
  const std::string_view name = report.string(report.steps->name[0]);
  return name.find("decode") != std::string_view::npos || name.find("token") != std::string_view::npos;
}

/// What the steps of a program hold in each range.
struct PlaceSums {
  std::int64_t code = 0, held = 0;  ///< ns of host code; of copies and waits
  std::size_t launches = 0, syncs = 0;
  bool kernels = false;
};

/// Host code in ns by range and function.
using FunctionTimes = std::map<std::pair<Place, Place>, std::int64_t>;

/// Ranges whose functions say more: the steps and what is in no range, and those with most of their code in one.
std::vector<Place> places_of_functions(const FunctionTimes& functions, const std::vector<PlaceSums>& sums, Place step) {
  constexpr double kMost = 0.9;
  std::map<Place, std::int64_t> known;
  for (const auto& [at, time] : functions) {
    std::int64_t& sum = known[at.first];
    sum = at.first == step || at.first == kNoPlace ? sum + time : std::max(sum, time);
  }
  std::vector<Place> out;
  for (const auto& [place, time] : known) {
    if (static_cast<double>(time) >= kMost * static_cast<double>(sums[place].code)) out.push_back(place);
  }
  return out;
}

/// Host code of ranges and functions that takes more than `least` ns, but where `many` kernels are launched.
template <class Many>
std::vector<Lever> host_levers(const Program& program, const std::vector<PlaceSums>& sums,
                               const FunctionTimes& functions, std::int64_t least, const Many& many) {
  std::vector<Place> order;
  for (Place place = 0; place < sums.size(); ++place) order.push_back(place);
  std::ranges::stable_sort(order, std::greater<>(), [&](Place place) { return sums[place].code; });
  const Place step = place_of_steps(program);
  const std::vector<Place> known = places_of_functions(functions, sums, step);
  std::vector<Lever> out;
  for (std::size_t o = 0; o < std::min(order.size(), kMostPlaces + known.size()); ++o) {
    const PlaceSums& own = sums[order[o]];
    if (std::ranges::find(known, order[o]) != known.end()) continue;
    if (own.code <= least || many(order[o])) continue;
    const bool range = order[o] != kNoPlace && !program.is_function(order[o]);
    const bool whole = range && !own.kernels && order[o] != step && own.held <= own.code;
    out.push_back({whole ? LeverKind::kRange : LeverKind::kHostCode, program.name_of(order[o])});
  }
  return out;
}

}  // namespace

std::vector<Lever> candidates(const Program& program, const NameRules& classes) {
  std::vector<PlaceSums> sums(program.places());
  std::size_t turns = 0, allocations = 0;
  std::vector<std::string_view> directions;
  FunctionTimes functions;
  const auto add_code = [&](const HostCode& code) {
    sums[code.place].code += code.time;
    if (code.function == kNoPlace) return;
    sums[code.function].code += code.time;
    functions[{code.place, code.function}] += code.time;
  };
  for (const HostItem& item : program.items()) {
    if (!item.in_step) continue;
    PlaceSums& own = sums[item.place];
    if (item.role != CallRole::kMark) {
      for (const HostCode& code : program.code_before(item)) add_code(code);
      turns += is_turn(code_time(program, item)) ? 1U : 0U;
    }
    own.launches += launches(item) ? 1U : 0U;
    if (item.function != kNoPlace) sums[item.function].launches += launches(item) ? 1U : 0U;
    own.kernels = own.kernels || item.role == CallRole::kLaunch;
    own.syncs += item.role == CallRole::kSync ? 1U : 0U;
    allocations += item.role == CallRole::kAllocation ? 1U : 0U;
    if (item.role == CallRole::kSync || item.role == CallRole::kCopy) own.held += program.length_of(item);
    for (const std::uint32_t work : program.work_of(item)) {
      const std::string_view direction = large_copy(program, work);
      if (!direction.empty() && std::ranges::find(directions, direction) == directions.end())
        directions.push_back(direction);
    }
  }
  const std::size_t steps = program.graph().iterations.size();
  double all = 0;
  for (const replay::Iteration& iteration : program.graph().iterations)
    all += static_cast<double>(program.graph().seen[iteration.end] - program.graph().seen[iteration.begin]);
  const auto many = [&](Place place) { return sums[place].launches > kManyLaunches * steps; };
  std::vector<Lever> out = host_levers(program, sums, functions, static_cast<std::int64_t>(kLeastShare * all), many);
  if (turns >= kTurnsPerStep * steps) out.push_back({LeverKind::kInterpreterLock, ""});
  const bool token = makes_tokens(program.report());
  std::size_t placed = 0;
  for (Place place = 0; place < sums.size(); ++place) {
    if (program.is_function(place)) continue;
    if (many(place)) out.push_back({LeverKind::kLaunches, program.name_of(place)}), ++placed;
    if (sums[place].syncs > (token ? steps : 0)) out.push_back({LeverKind::kSync, program.name_of(place)});
  }
  if (placed > 1) out.push_back({LeverKind::kAllLaunches, ""});
  if (allocations > 0) out.push_back({LeverKind::kAllocation, ""});
  for (const std::string_view direction : directions) out.push_back({LeverKind::kCopies, std::string(direction)});
  for (const LeverKind kind : {LeverKind::kFp32Products, LeverKind::kAttention, LeverKind::kPointwise}) {
    if (!shortening_by(kind, program, classes).work.empty()) out.push_back({kind, ""});
  }
  return out;
}

}  // namespace assay::lever
