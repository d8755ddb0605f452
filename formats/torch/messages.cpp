#include "formats/torch/messages.hpp"

#include <algorithm>
#include <numeric>

#include "formats/torch/category.hpp"
#include "formats/torch/columns.hpp"

namespace assay::load {

std::int64_t bytes_of(std::int64_t elements, std::string_view dtype) {
  const std::int64_t element = dtype_bytes(dtype);
  std::int64_t all = 0;
  const bool known = elements >= 0 && element > 0 && !__builtin_mul_overflow(elements, element, &all);
  return known && all <= kMaxInAll ? all : std::int64_t{kNone};
}

void TraceColumns::add_message(const Event& event, Times times) {
  const Args& args = event.args;
  const bool sends = args.target_rank != Args::kAbsent, kernel = event.category == Category::kKernel;
  const std::int64_t peer = sends ? args.target_rank : args.source_rank;
  const bool is_rank = peer >= 0 && peer <= std::numeric_limits<std::int32_t>::max();
  if (!is_rank || times.start == kNoValue || times.end == kNoValue) return;
  messages_.time.push_back(times.start);
  messages_.thread.push_back(kernel ? std::int64_t{kNone} : thread_of(event));
  messages_.correlation.push_back(kernel && args.correlation != Args::kAbsent ? args.correlation : kNone);
  messages_.sends.push_back(sends ? 1 : 0);
  messages_.peer.push_back(peer);
  messages_.bytes.push_back(bytes_of(args.elements_in, args.dtype));
  messages_.group_ranks.push_back(out_.intern(rank_list(unescaped(args.group_ranks))));
}

void add_messages(const MessageCells& cells, TableSink& out) {
  if (cells.time.empty()) return;
  std::vector<std::size_t> order(cells.time.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return cells.time[row]; });
  DeclaredRows rows(out, kMessageTable.name.view(), order.size());
  const auto fill = [&](auto to, const auto& from) {
    for (std::size_t row = 0; row < order.size(); ++row) to[row] = from[order[row]];
  };
  const std::vector<std::int64_t>* const integers[] = {&cells.time,  &cells.thread, &cells.correlation,
                                                       &cells.sends, &cells.peer,   &cells.bytes};
  for (std::size_t c = 0; c < std::size(integers); ++c)
    fill(rows.integers(kMessageColumns[c].name.view()), *integers[c]);
  fill(rows.texts(std::end(kMessageColumns)[-1].name.view()), cells.group_ranks);
}

}  // namespace assay::load
