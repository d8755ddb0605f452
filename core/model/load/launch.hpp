// Profiled launches that are alike, and kernels of a report that are like them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/kernel_name.hpp"
#include "load/store.hpp"

namespace assay::load {

/// Blocks of the grid and threads of a block. Old CSVs tell only the products.
struct LaunchShape {
  std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
  double blocks = kNone, threads = kNone;  ///< whole numbers; double, because products may exceed any integer

  [[nodiscard]] bool has_sizes() const { return grid[0] != kNone && block[0] != kNone; }
  friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

/// Fills the products from the sizes.
LaunchShape with_products(LaunchShape shape);

struct LaunchGroup {
  KernelName name;
  LaunchShape shape;
  Row first = kNone;  ///< its first row of profiled
};

/// Groups of equal name (with template arguments, as far as the name tells them) and shape.
struct LaunchGroups {
  /// How many groups fit, and the first of them.
  struct Fit {
    std::size_t first = 0, count = 0;
    void add(const Fit& more);
  };
  /// Of one base name and one shape: by template arguments, and all that tell theirs.
  struct ShapeFits {
    std::map<std::optional<std::string>, Fit> of;
    Fit with_arguments;
  };
  using Shape = std::array<double, 6>;  ///< sizes, or products where there are no sizes

  std::vector<LaunchGroup> groups;                                ///< in the order of their first rows
  std::map<std::string, std::map<Shape, ShapeFits>, std::less<>> of;  ///< base name -> shape
};

/// Fills `group` and `short_name` of every launch. `shapes`: one a row.
LaunchGroups group_launches(ProfiledRows& launches, const std::vector<LaunchShape>& shapes, StringPool& strings);

/// Fills `profiled` of every kernel of the store: the group of its name and launch shape, -1 for none. Says in issues
/// how many kernels have the name of a profiled one and yet are not matched, and which groups match no kernel; their
/// codes begin with `word`, that of the counters' format.
void match_kernels(Profile::Store& store, const LaunchGroups& groups, std::string_view word);

}  // namespace assay::load
