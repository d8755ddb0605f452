// Groups equal profiled launches, and matches kernels of a report to the groups.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/kernel_name.hpp"
#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Blocks of the grid and threads of a block. Old CSVs contain only the products.
struct LaunchShape {
  std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
  double blocks = kNone, threads = kNone;  ///< whole numbers; double, because products may exceed any integer

  [[nodiscard]] bool has_sizes() const { return grid[0] != kNone && block[0] != kNone; }
  friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

/// Computes the products from the sizes.
LaunchShape with_products(LaunchShape shape);

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
    void add(const Fit& more);
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

/// Fills `group` and `short_name` of every launch. `shapes`: one per row.
LaunchGroups group_launches(ProfiledRows& launches, const std::vector<LaunchShape>& shapes, StringPool& strings);

/// Groups the profiled launches of a store, if it has any, and matches its kernels to them if that is wanted.
void group_counters(Profile::Store& store, const WantedColumns& wanted, std::string_view word);

/// Fills `profiled` of every kernel of the store: the group of its name and launch shape, -1 for none. Adds issues on
/// kernels that have the name of a profiled one but match no group, and on groups that match no kernel; issue codes
/// begin with `word`, that of the counters' format.
void match_kernels(Profile::Store& store, const LaunchGroups& groups, std::string_view word);

}  // namespace assay::load
