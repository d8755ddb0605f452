// Declarations of the analyzer.
#pragma once

#include "assay/abi.hpp"

namespace assay::compile {

inline constexpr MetricSpec kMetrics[] = {
    {"torch_compile.time_ns", "ns", Polarity::kLowerIsBetter, "Sum over the compilations of a log.",
     "time of compiling"},
    {"torch_compile.graph_count", "1", Polarity::kNeutral, "Compilations that captured a graph.", "compiled graphs"},
    {"torch_compile.break_count", "1", Polarity::kLowerIsBetter, "Graph breaks met while compiling.", "graph breaks"},
    {"torch_compile.break_place_count", "1", Polarity::kLowerIsBetter, "Lines that break a graph.",
     "places of graph breaks"},
    {"torch_compile.recompile_count", "1", Polarity::kLowerIsBetter, "Compilations because a guard failed.",
     "recompiles"},
    {"torch_compile.failed_count", "1", Polarity::kLowerIsBetter, "Compilations that failed.", "failed compilations"},
    {"torch_compile.stall_ns", "ns", Polarity::kLowerIsBetter,
     "Time inside steps of a profile in which its process compiled; by the log next to it.", "compiling inside steps"}};

inline constexpr AttributeSpec kAttributeSpecs[] = {{"torch_compile.answer", "What torch.compile did, in one line."}};

}  // namespace assay::compile
