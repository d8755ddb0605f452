#include "formats/torch/messages.hpp"

#include <numeric>

namespace assay::load {

void add_messages(MessageCells cells, Profile::Store& store) {
  if (cells.time.empty()) return;
  const std::vector<std::uint32_t> order = sorting_order(cells.time, cells.time);
  DeclaredTableRows& table = store.declared.emplace_back();
  table.spec = &kMessageTable;
  table.rows = cells.time.size();
  const auto fill = [&](auto& column, const auto& values) {
    column.make_present(values.size());
    for (const auto value : values) column.push(value);
    if (!order.empty()) column.reorder(order);
  };
  const std::vector<std::int64_t>* const integers[] = {&cells.time,  &cells.thread, &cells.correlation,
                                                       &cells.sends, &cells.peer,   &cells.bytes};
  for (const ColumnSpec& spec : kMessageColumns) table.columns.emplace_back().spec = &spec;
  for (std::size_t c = 0; c < std::size(integers); ++c) fill(table.columns[c].integers, *integers[c]);
  fill(table.columns.back().texts, cells.group_ranks);
}

}  // namespace assay::load
