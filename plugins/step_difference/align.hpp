// What of one side is what of the other: by what a thing is, and only then by its place in the step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "side.hpp"

namespace assay::difference {

enum class Match : std::uint8_t {
  kSame,           ///< same name, shape and place in the program
  kOtherShape,     ///< of other grid, block or bytes
  kOtherTemplate,  ///< of other template arguments
  kMoved,          ///< launched elsewhere in the program
  kNew,
  kGone,
};

constexpr std::string_view match_name(Match match) {
  constexpr std::string_view names[] = {"same", "other shape", "other template", "moved", "new", "gone"};
  return names[static_cast<std::size_t>(match)];
}

inline constexpr std::uint32_t kNoItem = static_cast<std::uint32_t>(-1);

/// One thing, with its place in Side::items; kNoItem: that side has none.
struct AlignedItem {
  Match match = Match::kSame;
  std::uint32_t before = kNoItem, after = kNoItem;
  std::uint32_t change = 0;  ///< place in Alignment::changes
};

/// Rows that changed together: what stands now at the place of what is gone.
struct Change {
  std::vector<std::uint32_t> rows;  ///< of Alignment::rows
  bool replaced = false;            ///< some are gone and some are new
};

/// Shares of a side's kernel time.
struct Share {
  double partner = 1;  ///< has a partner
  double place = 1;    ///< has one, or was replaced: another kernel stands at its place
};

struct Alignment {
  std::vector<AlignedItem> rows;
  std::vector<Change> changes;  ///< each row is in one
  Share before, after;

  [[nodiscard]] double aligned() const { return std::min(before.partner, after.partner); }
};

Alignment align(const Side& before, const Side& after);

}  // namespace assay::difference
