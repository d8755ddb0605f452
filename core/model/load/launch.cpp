#include "load/launch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "load/kernel_name.hpp"

namespace assay::load {
namespace {

/// Blocks of the grid and threads of a block. Old CSVs contain only the products.
struct LaunchShape {
  std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
  double blocks = kNone, threads = kNone;  ///< whole numbers; double, because products may exceed any integer

  [[nodiscard]] bool has_sizes() const { return grid[0] != kNone && block[0] != kNone; }
  friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

/// Computes the products from the sizes.
LaunchShape with_products(LaunchShape shape) {
  const auto product = [](const std::array<std::int32_t, 3>& size) {
    return static_cast<double>(size[0]) * size[1] * size[2];
  };
  if (shape.grid[0] != kNone) shape.blocks = product(shape.grid);
  if (shape.block[0] != kNone) shape.threads = product(shape.block);
  return shape;
}

struct LaunchGroup {
  KernelName name;
  LaunchShape shape;
  Row first = kNone;  ///< its first row of profiled
};

/// Groups with equal name (including template arguments, if known) and shape.
struct LaunchGroups {
  /// Number of groups that fit, and the first of them.
  struct Fit {
    std::size_t first = 0, count = 0;
    void add(const Fit& more) {
      if (count == 0) first = more.first;
      count += more.count;
    }
  };
  /// Groups of one base name and shape: by template arguments, and all with known arguments.
  struct ShapeFits {
    std::map<std::optional<std::string>, Fit> of;
    Fit with_arguments;
  };
  using Shape = std::array<double, 6>;  ///< sizes, or products if there are no sizes

  std::vector<LaunchGroup> groups;                                    ///< in the order of their first rows
  std::map<std::string, std::map<Shape, ShapeFits>, std::less<>> of;  ///< base name -> shape
};

using Fit = LaunchGroups::Fit;

LaunchGroups::Shape by_sizes(const LaunchShape& shape) {
  const auto& [x, y, z] = shape.grid;
  const auto& [block_x, block_y, block_z] = shape.block;
  return {static_cast<double>(x),       static_cast<double>(y),       static_cast<double>(z),
          static_cast<double>(block_x), static_cast<double>(block_y), static_cast<double>(block_z)};
}

LaunchGroups::Shape by_products(const LaunchShape& shape) {
  constexpr double kNoSize = -2;  // a value that is neither a size nor kNone
  return {kNoSize, shape.blocks, shape.threads, 0, 0, 0};
}

enum class Outcome { kOtherName, kOtherShape, kAmbiguous, kMatched };

struct Match {
  Outcome outcome = Outcome::kOtherName;
  std::size_t group = 0;
};

/// The only group that a kernel can belong to; a group with equal arguments is preferred to groups without arguments,
/// and every group fits a kernel without arguments.
Match match(const KernelName& name, const LaunchShape& shape, const LaunchGroups& groups) {
  const auto named = groups.of.find(name.base);
  if (named == groups.of.end()) return {};
  Fit same, possible;
  for (const LaunchGroups::Shape& key : {by_sizes(shape), by_products(shape)}) {
    const auto alike = named->second.find(key);
    if (alike == named->second.end()) continue;
    const auto with = [&](const std::optional<std::string>& arguments) {
      const auto found = alike->second.of.find(arguments);
      return found == alike->second.of.end() ? Fit() : found->second;
    };
    same.add(with(name.arguments));
    possible.add(name.arguments ? with(std::nullopt) : alike->second.with_arguments);
  }
  const Fit& fit = same.count > 0 ? same : possible;
  if (fit.count == 0) return {Outcome::kOtherShape};
  return {fit.count == 1 ? Outcome::kMatched : Outcome::kAmbiguous, fit.first};
}

/// What distinguishes the kernels of a report with regard to groups.
struct KernelKey {
  StringId name = 0;
  LaunchShape shape;
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

struct HashKey {
  std::size_t operator()(const KernelKey& key) const {
    std::uint64_t hash = key.name;
    const auto mix = [&](std::int32_t value) {
      hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
    };
    for (const auto* sizes : {&key.shape.grid, &key.shape.block}) {
      for (const std::int32_t size : *sizes) mix(size);
    }
    return hash;
  }
};

/// Matches each distinct kernel once, and counts.
class Matcher {
 public:
  Matcher(const StringPool& strings, const LaunchGroups& groups, std::string_view word)
      : strings_(strings), groups_(groups), word_(word) {}

  Row group_of(const KernelKey& key) {
    const auto known = known_.find(key);
    const Match& found = known != known_.end() ? known->second : known_.emplace(key, matched(key)).first->second;
    other_shape_ += found.outcome == Outcome::kOtherShape ? 1 : 0;
    ambiguous_ += found.outcome == Outcome::kAmbiguous ? 1 : 0;
    if (found.outcome != Outcome::kMatched) return kNone;
    ++launches_[found.group];
    return groups_.groups[found.group].first;
  }

  void add_issues(std::vector<Issue>& issues) const {
    if (other_shape_ > 0) {
      issues.push_back({word_ + "_unmatched", Severity::kInfo, other_shape_,
                        fmt::format("{} kernels have the name of a profiled kernel but another launch shape or other "
                                    "template arguments; they have no counters.",
                                    other_shape_)});
    }
    std::int64_t ambiguous = ambiguous_;
    for (const auto& [group, names] : names_) ambiguous += names.size() > 1 ? launches_.at(group) : 0;
    if (ambiguous > 0) {
      issues.push_back({word_ + "_ambiguous", Severity::kWarning, ambiguous,
                        fmt::format("{} kernels differ in template arguments that only one of the profilers printed; "
                                    "they share counters, or have none if several would fit.",
                                    ambiguous)});
    }
    const auto unused = static_cast<std::int64_t>(groups_.groups.size() - launches_.size());
    if (unused > 0) {
      issues.push_back(
          {word_ + "_unused", Severity::kInfo, unused,
           fmt::format("{} of {} profiled kernels (by name and launch shape) match no kernel of the profile.", unused,
                       groups_.groups.size())});
    }
  }

 private:
  Match matched(const KernelKey& key) {
    auto name = parsed_.find(key.name);
    if (name == parsed_.end()) name = parsed_.emplace(key.name, kernel_name(strings_[key.name])).first;
    const Match found = match(name->second, with_products(key.shape), groups_);
    const bool by_base = found.outcome == Outcome::kMatched && !groups_.groups[found.group].name.arguments;
    if (by_base) names_[found.group].insert(name->second.arguments.value_or(""));
    return found;
  }

  const StringPool& strings_;
  const LaunchGroups& groups_;
  std::string word_;
  std::unordered_map<StringId, KernelName> parsed_;
  std::unordered_map<KernelKey, Match, HashKey> known_;
  std::map<std::size_t, std::int64_t> launches_;        // group -> kernels that it matches
  std::map<std::size_t, std::set<std::string>> names_;  // group without arguments -> arguments of its kernels
  std::int64_t other_shape_ = 0, ambiguous_ = 0;
};

/// Fills `group` and `short_name` of every launch. `shapes`: one per row.
LaunchGroups group_launches(ProfiledRows& launches, const std::vector<LaunchShape>& shapes, StringPool& strings) {
  LaunchGroups groups;
  std::unordered_map<StringId, KernelName> parsed;
  std::map<std::tuple<std::string, std::optional<std::string>, LaunchShape>, std::size_t> known;
  for (std::size_t i = 0; i < launches.rows(); ++i) {
    auto name = parsed.find(launches.name[i]);
    if (name == parsed.end()) name = parsed.emplace(launches.name[i], kernel_name(strings[launches.name[i]])).first;
    const auto& [base, arguments] = name->second;
    const auto [at, fresh] = known.emplace(std::tuple(base, arguments, shapes[i]), groups.groups.size());
    if (fresh) {
      const Fit one{groups.groups.size(), 1};
      LaunchGroups::ShapeFits& alike =
          groups.of[base][shapes[i].has_sizes() ? by_sizes(shapes[i]) : by_products(shapes[i])];
      alike.of[arguments].add(one);
      if (arguments) alike.with_arguments.add(one);
      groups.groups.push_back({name->second, shapes[i], static_cast<Row>(i)});
    }
    launches.short_name.push(strings.intern(base));
    launches.group.push(groups.groups[at->second].first);
  }
  return groups;
}

/// Sizes, or where they are not known their products.
std::vector<LaunchShape> shapes_of(const ProfiledRows& launches) {
  std::vector<LaunchShape> shapes(launches.rows());
  const bool sized = launches.grid_x.present() && launches.block_x.present();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (launches.blocks.present() && launches.blocks[i] >= 0) shapes[i].blocks = launches.blocks[i];
    if (launches.threads.present() && launches.threads[i] >= 0) shapes[i].threads = launches.threads[i];
    if (!sized) continue;
    shapes[i].grid = {launches.grid_x[i], launches.grid_y[i], launches.grid_z[i]};
    shapes[i].block = {launches.block_x[i], launches.block_y[i], launches.block_z[i]};
    shapes[i] = with_products(shapes[i]);
  }
  return shapes;
}

/// Fills `profiled` of every kernel.
void match_kernels(Profile::Store& store, const LaunchGroups& groups, std::string_view word) {
  if (!store.kernels) return;
  KernelRows& kernels = *store.kernels;
  const OwnedColumn<StringId>& names = kernels.name.present() ? kernels.name : kernels.short_name;
  const bool shapes = kernels.grid_x.present() && kernels.grid_y.present() && kernels.grid_z.present() &&
                      kernels.block_x.present() && kernels.block_y.present() && kernels.block_z.present();
  kernels.profiled.assign(kernels.rows(), kNone);
  if (!names.present() || !shapes) {
    store.issues.push_back({std::string(word) + "_unmatched", Severity::kWarning,
                            static_cast<std::int64_t>(kernels.rows()),
                            "The kernels of this profile have no names or launch shapes, so none has counters."});
    return;
  }
  Matcher matcher(store.strings, groups, word);
  for (std::size_t k = 0; k < kernels.rows(); ++k) {
    const LaunchShape shape{{kernels.grid_x[k], kernels.grid_y[k], kernels.grid_z[k]},
                            {kernels.block_x[k], kernels.block_y[k], kernels.block_z[k]}};
    kernels.profiled.values()[k] = matcher.group_of({names[k], shape});
  }
  matcher.add_issues(store.issues);
}

}  // namespace

void group_counters(Profile::Store& store, const WantedColumns& wanted, std::string_view word) {
  if (!store.profiled) return;
  ProfiledRows& launches = *store.profiled;
  launches.group.drop();
  launches.group.make_present(launches.rows());
  launches.short_name.drop();
  launches.short_name.make_present(launches.rows());
  const LaunchGroups groups = group_launches(launches, shapes_of(launches), store.strings);
  if (wanted.column(col::kernel_profiled)) match_kernels(store, groups, word);
}

}  // namespace assay::load
