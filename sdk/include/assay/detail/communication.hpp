// Which kernels communicate between devices, and what: the one rule set of the host and of analyzers.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

/// Names used in dims: "all_reduce", "all_gather", ..., "unknown".
constexpr std::string_view collective_name(CollectiveKind kind) noexcept {
  constexpr std::string_view names[] = {"unknown",    "all_reduce",   "all_gather", "reduce_scatter",
                                        "all_to_all", "broadcast",    "reduce",     "send",
                                        "receive",    "send_receive", "barrier"};
  const auto i = static_cast<std::size_t>(kind);
  return i < std::size(names) ? names[i] : names[0];
}

/// Whether every rank of the group has to arrive before one can leave: only such collectives tell of waiting.
constexpr bool synchronises(CollectiveKind kind) noexcept {
  return kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kAllGather ||
         kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllToAll ||
         kind == CollectiveKind::kBarrier;
}

/// What a collective is by any name for it: of a kernel, of NCCL's function, of PyTorch's operation.
CollectiveKind collective_kind(std::string_view name);

/// Whether a kernel communicates by its name, demangled or short: NCCL and RCCL of all versions (ncclKernel_,
/// ncclDevKernel_, ncclSymk, rcclGenericKernel), NVSHMEM, MSCCL++, symmetric memory of PyTorch, custom all-reduce of
/// vLLM, SGLang and TensorRT-LLM, user buffers, DeepEP, and what is named after a collective.
bool communicates(std::string_view name);

/// Size S of a message as nccl-tests count it (PERFORMANCE.md): what a rank puts in, of all_gather what it gets out.
/// What is not said follows from the size of the group; nothing when it does not.
std::optional<std::int64_t> message_bytes(CollectiveKind kind, std::int64_t sent, std::int64_t received,
                                          std::int64_t group_size);

/// Factor from algorithm to bus bandwidth in a group of n (nccl-tests, PERFORMANCE.md); nothing for kinds that have
/// none.
std::optional<double> bus_factor(CollectiveKind kind, std::int64_t n);

}  // namespace assay
