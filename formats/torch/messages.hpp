// Sends and receives between ranks, as the table "messages". They come from torch.distributed calls, including batches,
// which run as one kernel without arguments. A kernel with a single message has the arguments too, the only source in a
// trace without operators.
#pragma once

#include <vector>

#include "assay/format.hpp"

namespace assay::load {

inline constexpr ColumnSpec kMessageColumns[] = {
    {"time", CellKind::kInteger, CellRole::kTime, "ns", {}, "Start of the call on the host, or of the kernel."},
    {"thread", CellKind::kInteger, CellRole::kRow, {}, "threads", "Thread of the call; -1: said by a kernel."},
    {"correlation",
     CellKind::kInteger,
     CellRole::kKey,
     {},
     {},
     "Correlation id of the kernel that says it; -1: a call does."},
    {"sends", CellKind::kInteger, CellRole::kPlain, "1", {}, "1: a send; 0: a receive."},
    {"peer", CellKind::kInteger, CellRole::kPlain, {}, {}, "Global rank of the other side."},
    {"bytes", CellKind::kInteger, CellRole::kPlain, "bytes", {}, "Size of the message; -1: not recorded."},
    {"group_ranks", CellKind::kText, CellRole::kPlain, {}, {}, "Global ranks of the process group."}};
inline constexpr TableSpec kMessageTable{
    "messages", "messages between ranks",
    "Sends and receives of torch.distributed, one row per message and event that says it.", kMessageColumns};

/// Columns of the table, in the order of kMessageColumns.
struct MessageCells {
  std::vector<std::int64_t> time, thread, correlation, sends, peer, bytes;
  std::vector<StringId> group_ranks;
};

/// Bytes of elements of a type; kNone if either is missing or impossible.
std::int64_t bytes_of(std::int64_t elements, std::string_view dtype);

/// Fills the table, sorted by time; no table if there are no messages.
void add_messages(const MessageCells& cells, TableSink& out);

}  // namespace assay::load
