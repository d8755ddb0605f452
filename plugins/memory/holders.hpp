// The memory in use at the peak, by owner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "classes.hpp"

namespace assay::memory {

/// Memory of one stack or module at the peak.
struct Holder {
  std::string name;
  std::int64_t bytes = 0, count = 0;
  Class class_of = Class::kOther;  ///< of most of its bytes
};

/// Rows that are live at a peak, grouped by the text of their stacks or modules; largest first.
std::vector<Holder> holders(const Allocations& allocations, const std::vector<Class>& classes, const DevicePeak& peak,
                            const std::map<std::int64_t, std::string>& names);

/// Texts of the stacks of memory live at a peak.
template <class Text>
std::map<std::int64_t, std::string> names_at(const Allocations& allocations, const DevicePeak& peak, Text&& text) {
  std::map<std::int64_t, std::string> names;
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    if (allocations.device[a] != peak.device || !allocations.is_live(a, peak.change)) continue;
    const auto [at, is_new] = names.try_emplace(allocations.stack[a]);
    if (is_new) at->second = text(allocations.stack[a]);
  }
  return names;
}

Table holder_table(std::string id, std::string title, std::string column, const std::vector<Holder>& holders,
                   std::int64_t all);
Table class_table(const ClassUse& use, std::int64_t all);
Table growth_table(const std::vector<Grower>& growers, const Stacks& stacks);
/// Segments and blocks at the time of the snapshot. `split`: bytes of free blocks in segments that are in use.
Table reserve_table(const Report& report, const DevicePeak& peak, std::int64_t* split);

}  // namespace assay::memory
