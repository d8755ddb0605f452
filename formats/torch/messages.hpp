// Sends and receives between ranks, as calls of torch.distributed name them: the table "messages". A kernel cannot hold
// them, because one kernel runs all of a batch and carries the arguments of none.
#pragma once

#include "assay/format.hpp"
#include "load/store.hpp"

namespace assay::load {

inline constexpr ColumnSpec kMessageColumns[] = {
    {"time", CellKind::kInteger, CellRole::kTime, "ns", {}, "Start of the call on the host."},
    {"thread", CellKind::kInteger, CellRole::kRow, {}, "threads", "Thread of the call."},
    {"sends", CellKind::kInteger, CellRole::kPlain, "1", {}, "1: a send; 0: a receive."},
    {"peer", CellKind::kInteger, CellRole::kPlain, {}, {}, "Global rank of the other side."},
    {"bytes", CellKind::kInteger, CellRole::kPlain, "bytes", {}, "Size of the message; -1: not recorded."},
    {"group_ranks", CellKind::kText, CellRole::kPlain, {}, {}, "Global ranks of the process group."}};
inline constexpr TableSpec kMessageTable{"messages", "messages between ranks",
                                         "Sends and receives of torch.distributed, one row per message.",
                                         kMessageColumns};

/// Columns of the table, in the order of kMessageColumns.
struct MessageCells {
  std::vector<std::int64_t> time, thread, sends, peer, bytes;
  std::vector<StringId> group_ranks;
};

/// Adds the table to the store, sorted by time; no table if there is no message.
void add_messages(MessageCells cells, Profile::Store& store);

}  // namespace assay::load
