// Turns a dump into tables.
#pragma once

#include "assay/format.hpp"
#include "dump.hpp"
#include "rank.hpp"

namespace assay::flight_recorder {

inline constexpr Str kRecords = "collective_records", kProcessGroups = "process_groups", kDumps = "recorder_dumps";

inline constexpr ColumnSpec kRecordColumns[] = {
    {.name = "time", .role = CellRole::kTime, .unit = "ns", .doc = "When the call was made."},
    {.name = "record_id", .role = CellRole::kKey, .doc = "Counts the calls of the rank."},
    {.name = "process_group", .role = CellRole::kRow, .of = kProcessGroups, .doc = "Group that communicates."},
    {.name = "operation", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "nccl:all_reduce, nccl:send 0->1."},
    {.name = "collective_seq_id", .role = CellRole::kKey, .doc = "Number of the collective in its group."},
    {.name = "p2p_seq_id", .doc = "Number of the send or receive in its group."},
    {.name = "op_id", .doc = "Number of the operation in its group."},
    {.name = "state", .kind = CellKind::kText, .doc = "scheduled, started or completed."},
    {.name = "started_after", .unit = "ns", .doc = "From the call until its start was noticed."},
    {.name = "completed_after", .unit = "ns", .doc = "From the call until its completion was noticed."},
    {.name = "is_p2p", .doc = "1: a send or receive."},
    {.name = "input_sizes", .kind = CellKind::kText, .doc = "[[1048576]]: shape of each tensor."},
    {.name = "input_dtypes", .kind = CellKind::kText, .doc = "[Float]: type of each tensor."},
    {.name = "output_sizes", .kind = CellKind::kText, .doc = "Like input_sizes."},
    {.name = "output_dtypes", .kind = CellKind::kText, .doc = "Like input_dtypes."},
    {.name = "elements", .doc = "Of all input tensors together."},
    {.name = "timeout", .unit = "ns", .doc = "Time limit of the watchdog."},
    {.name = "line", .kind = CellKind::kText, .doc = "train.py:28: innermost frame that is not of a library."},
    {.name = "frames", .kind = CellKind::kText, .doc = "That frame, then its callers."},
    {.name = "library_frames", .kind = CellKind::kText, .doc = "Frames inside it, innermost first."}};
inline constexpr ColumnSpec kGroupColumns[] = {
    {.name = "name", .kind = CellKind::kText, .doc = "Number of the group in the job."},
    {.name = "description", .kind = CellKind::kText, .doc = "default_pg, TENSOR_MODEL_PARALLEL_GROUP."},
    {.name = "ranks", .kind = CellKind::kText, .doc = "[0, 1, 2, 3]: its members."},
    {.name = "size", .doc = "Number of its members."},
    {.name = "pg_id", .doc = "Number of the group on this rank."},
    {.name = "last_enqueued", .doc = "Number of the last collective that was called; -1: none."},
    {.name = "last_started", .doc = "Number of the last collective that was seen to start; -1: none."},
    {.name = "last_completed", .doc = "Number of the last collective that was seen to complete; -1: none."}};
inline constexpr ColumnSpec kDumpColumns[] = {
    {.name = "rank", .role = CellRole::kKey, .doc = "Rank that wrote the dump."},
    {.name = "rank_from", .kind = CellKind::kText, .doc = "name: of the file; groups: the only rank that fits."},
    {.name = "world_size", .doc = "Ranks of the largest group."},
    {.name = "version", .kind = CellKind::kText, .doc = "Of the dump's layout."},
    {.name = "library", .kind = CellKind::kText, .doc = "Version of NCCL."},
    {.name = "damaged", .doc = "1: only its beginning could be read."}};

inline constexpr TableSpec kTables[] = {
    {kRecords, "calls in the flight recorder", "Collectives, sends and receives that the rank called last.",
     kRecordColumns},
    {kProcessGroups, "process groups", "Groups that the rank is a member of.", kGroupColumns},
    {kDumps, "dumps of the flight recorder", "One row: who wrote the dump.", kDumpColumns}};

void fill_tables(const Dump& dump, const DumpRank& rank, Tables& to);

}  // namespace assay::flight_recorder
