#include "algo/account/innermost_rows.hpp"

#include <utility>

namespace assay::account {

void InnermostRows::add_changes(std::vector<Piece>& rows, std::vector<Change>& changes) {
  std::ranges::stable_sort(
      rows, [](const Piece& a, const Piece& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
  const auto change = [&](std::int64_t at, Row range) {
    if (!changes.empty() && changes.back().at == at)
      changes.back().range = range;
    else
      changes.push_back({at, range});
  };
  std::vector<std::pair<std::int64_t, Row>> open;  // end, which is at most that of the row around
  const auto close = [&] {
    const std::int64_t end = open.back().first;
    open.pop_back();
    change(end, open.empty() ? kNone : open.back().second);
  };
  for (const Piece& row : rows) {
    while (!open.empty() && open.back().first <= row.start) close();
    open.emplace_back(open.empty() ? row.end : std::min(row.end, open.back().first), row.row);
    change(row.start, row.row);
  }
  while (!open.empty()) close();
}

}  // namespace assay::account
