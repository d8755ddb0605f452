#include "operators.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

#include "resolve.hpp"

namespace assay::xplane {
namespace {

/// Parts of a path: "jit(step)", "jit(step)/jvp(layer0)" and the word "add" of "jit(step)/jvp(layer0)/add".
struct Path {
  std::vector<TextId> modules;
  TextId primitive = 0;
};

Path split(std::string_view path, TextPool& texts) {
  constexpr std::size_t kMostModules = 64;
  Path parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t c = 0; c < path.size() && parts.modules.size() < kMostModules; ++c) {
    depth += path[c] == '(' ? 1 : path[c] == ')' ? -1 : 0;
    if (path[c] != '/' || depth > 0) continue;
    parts.modules.push_back(texts.add(path.substr(0, c)));
    begin = c + 1;
  }
  if (!parts.modules.empty()) parts.primitive = texts.add(path.substr(begin));
  return parts;
}

/// Makes the rows of one stream, kernel by kernel.
class StreamOperators {
 public:
  StreamOperators(Profile& profile, Operators& to) : profile_(profile), to_(to) {}

  void begin_stream(std::uint32_t thread) {
    close(0);
    thread_ = thread, last_ = {};
  }

  /// `end`: of the kernel, at most the start of the next.
  void add(std::uint32_t w, const ResolvedOperator& of, std::int64_t end) {
    const Work& work = profile_.work[w];
    const bool same_graph = work.graph_node < 0 || work.correlation == correlation_;
    const bool goes_on = of.program == last_.program && of.order >= last_.order && same_graph;
    if (!goes_on) close(0);
    const bool same = goes_on && of.order == last_.order && of.name == last_.name && of.path == last_.path;
    if (!same) open(path_of(of.path), of.name, work.start);
    for (const std::size_t row : rows_) to_.rows[row].end = std::max(to_.rows[row].end, end);
    to_.of_work[w] = static_cast<std::int32_t>(rows_.back());
    last_ = of, correlation_ = work.correlation;
  }

 private:
  const Path& path_of(TextId path) {
    const auto [at, fresh] = paths_.try_emplace(path);
    if (fresh) at->second = split(profile_.texts[path], profile_.texts);
    return at->second;
  }

  /// Ends what is open but for the first so many modules.
  void close(std::size_t modules) {
    rows_.resize(std::min(rows_.size(), modules));
    modules_.resize(std::min(modules_.size(), modules));
  }

  void open(const Path& path, TextId name, std::int64_t start) {
    std::size_t shared = 0;
    while (shared < modules_.size() && shared < path.modules.size() && modules_[shared] == path.modules[shared])
      ++shared;
    close(shared);
    for (std::size_t m = shared; m < path.modules.size(); ++m) {
      push(path.modules[m], OperatorKind::kModule, start);
      modules_.push_back(path.modules[m]);
    }
    if (path.primitive != 0) push(path.primitive, OperatorKind::kPrimitive, start);
    push(name, OperatorKind::kHlo, start);
  }

  void push(TextId name, OperatorKind kind, std::int64_t start) {
    rows_.push_back(to_.rows.size());
    to_.rows.push_back({start, start, name, thread_, kind});
  }

  Profile& profile_;
  Operators& to_;
  std::uint32_t thread_ = 0;
  ResolvedOperator last_;
  std::int64_t correlation_ = -1;
  std::vector<TextId> modules_;    ///< that are open
  std::vector<std::size_t> rows_;  ///< of the modules and of the operators inside
  std::unordered_map<TextId, Path> paths_;
};

}  // namespace

Operators find_operators(Profile& profile) {
  Operators out;
  out.of_work.assign(profile.work.size(), -1);
  const std::vector<ResolvedOperator> resolved = resolve_operators(profile, out);

  const std::vector<std::uint32_t> order = work_in_order(
      profile,
      [&](const Work& work) {
        return work.kind == WorkKind::kKernel &&
               resolved[static_cast<std::size_t>(&work - profile.work.data())].name != 0;
      },
      [&](const Work& work) { return std::tuple(work.device, work.stream, work.start); });
  const auto stream = [&](std::uint32_t w) { return std::pair(profile.work[w].device, profile.work[w].stream); };
  StreamOperators rows(profile, out);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Work& work = profile.work[order[k]];
    if (k == 0 || stream(order[k]) != stream(order[k - 1])) {
      rows.begin_stream(static_cast<std::uint32_t>(profile.threads.size() + out.threads.size()));
      out.threads.push_back(profile.texts.keep("XLA operators of GPU " + std::to_string(work.device) + ", stream " +
                                               std::to_string(work.stream)));
    }
    const bool last = k + 1 == order.size() || stream(order[k]) != stream(order[k + 1]);
    const std::int64_t end = last ? work.end : std::min(work.end, profile.work[order[k + 1]].start);
    rows.add(order[k], resolved[order[k]], std::max(end, work.start));
  }
  return out;
}

}  // namespace assay::xplane
