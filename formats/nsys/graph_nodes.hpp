// Nodes of CUDA graphs, with the place in the program where each was captured.
#pragma once

#include "assay/format.hpp"
#include "formats/nsys/read_tables.hpp"

namespace assay::load {

/// graph_nodes: one row per node created or cloned during the recording, in order of time.
inline constexpr ColumnSpec kGraphNodeColumns[] = {
    {.name = "time",
     .role = CellRole::kTime,
     .unit = "ns",
     .doc = "when the node, or the node it clones, was captured"},
    {.name = "node", .role = CellRole::kKey, .doc = "kernels.graph_node"},
    {.name = "original",
     .role = CellRole::kKey,
     .doc = "the node that this one is a clone of, in the end; itself: none"},
    {.name = "thread", .role = CellRole::kRow, .of = "threads", .doc = "that captured it"},
    {.name = "range", .role = CellRole::kRow, .of = "ranges", .doc = "innermost range around its capture"}};
inline constexpr TableSpec kGraphNodes{"graph_nodes", "nodes of CUDA graphs",
                                       "Nodes of CUDA graphs, and the range in which each was captured.",
                                       kGraphNodeColumns};

/// Fills graph_nodes but for its ranges, which the host knows. Requires known threads.
void read_graph_nodes(NsysTables& to);

}  // namespace assay::load
