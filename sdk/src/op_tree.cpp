#include "assay/algo/op_tree.hpp"

#include <algorithm>

namespace assay {

std::vector<std::size_t> outside_in(const OpTable& ops) {
  std::int32_t deepest = 0;
  for (const std::int32_t depth : ops.depth) deepest = std::max(deepest, depth);
  std::vector<std::size_t> place(static_cast<std::size_t>(deepest) + 2, 0);
  for (const std::int32_t depth : ops.depth) ++place[static_cast<std::size_t>(depth) + 1];
  for (std::size_t d = 1; d < place.size(); ++d) place[d] += place[d - 1];
  std::vector<std::size_t> order(static_cast<std::size_t>(ops.rows));
  for (std::size_t r = 0; r < ops.rows; ++r) order[place[static_cast<std::size_t>(ops.depth[r])]++] = r;
  return order;
}

bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end) {
  const Window& window = *report.window;
  return window.named == 0 || (start >= window.host_start && end <= window.host_end);
}

}  // namespace assay
