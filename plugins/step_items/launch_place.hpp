// Finds where in the program device work was launched: ranges, modules and operator.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "assay/algo/steps.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// For each row of ranges, whether it is a step, also one that is left out.
std::vector<std::uint8_t> step_ranges(const Report& report);

/// Row of the kept steps that contain a time; kNone: none.
std::int32_t step_at(const std::vector<step::Step>& kept, std::int64_t time);

/// Borrows the report. Paths are numbered from 0, the empty one; a path stores its parent instead of its text.
class LaunchPlaces {
 public:
  LaunchPlaces(const Report& report, const step::Steps& steps);

  /// Row of the kept steps in which a call starts; kNone: none.
  [[nodiscard]] std::int32_t step_of_call(Row call) const;

  /// Number of the path of a call. Names are folded: "decode_{i}" is one place.
  [[nodiscard]] std::uint32_t path_of(Row call);
  /// Row of the outermost operator around a row of ops; kNone: none.
  [[nodiscard]] Row outer_operator(Row op) const { return op < 0 ? kNone : outer_[static_cast<std::size_t>(op)]; }
  /// Number of the path extended by the modules around a row of ops.
  [[nodiscard]] std::uint32_t with_modules(std::uint32_t path, Row op);
  /// Number of the path of host code in a range and a function of the program (a row of ops), "tokenize (stacks.py:8)":
  /// the function is left out where a range within it says more.
  [[nodiscard]] std::uint32_t path_in(Row range, Row function);

  /// "forward/layer_1". For a path of more than 64 parts the outermost and innermost 32, with the number of those in
  /// between; such paths are equal if these texts are.
  [[nodiscard]] std::string text(std::uint32_t path) const;

 private:
  struct LaunchPath {
    std::uint32_t path = 0;
    bool known = false, in_step = false;
  };
  struct Path {
    std::uint32_t outer = 0, part = 0;  ///< part: in parts_
    std::uint32_t depth = 0;
    std::uint32_t head = 0;  ///< its ancestor with kShownEnd parts; itself if it has no more
  };
  static constexpr std::uint32_t kShownEnd = 32;

  void find_operators();
  std::uint32_t part(std::string text);
  std::uint32_t part_of_range(StringId name);
  std::uint32_t inside(std::uint32_t outer, std::uint32_t part);
  std::uint32_t below(std::uint32_t outer, std::uint32_t inner);
  [[nodiscard]] Row outer_module(Row module) const;
  LaunchPath path_of_range(Row range);
  [[nodiscard]] Row range_at(std::int64_t time) const;
  [[nodiscard]] bool is_step(Row range) const { return is_step_[static_cast<std::size_t>(range)] != 0; }

  const Report& report_;
  const std::vector<step::Step>& steps_;
  std::vector<std::int64_t> begins_;        ///< by row of the kept steps: latest start on the host up to it
  std::vector<LaunchPath> ranges_;          ///< by row of ranges
  std::vector<std::uint8_t> is_step_;       ///< by row of ranges
  std::vector<std::uint8_t> around_steps_;  ///< by row of ranges: 1: contains steps, so it is not part of a path
  std::vector<Row> of_step_thread_;         ///< rows of ranges of the steps' thread, by start
  std::vector<Row> outer_, module_;         ///< by row of ops
  std::vector<std::string> parts_{std::string()};
  std::unordered_map<std::string, std::uint32_t> part_ids_{{std::string(), 0}};
  std::vector<std::uint32_t> part_of_name_;  ///< part + 1; 0: not computed
  std::unordered_map<StringId, std::uint32_t> part_of_function_;
  std::vector<Path> paths_{Path{}};
  std::unordered_map<std::uint64_t, std::uint32_t> inside_;  ///< path and part to the path inside
  std::unordered_map<std::uint64_t, std::uint32_t> joined_;  ///< path and module to path
  std::unordered_map<std::uint64_t, std::uint32_t> below_;   ///< two paths to the one of both
};

}  // namespace assay::step_items
