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

namespace detail {

/// Small letters without '_', so that "AllReduce", "all_reduce" and "allreduce" are one word.
inline std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '_' && c != ' ') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace detail

/// What a collective is by any name for it: of a kernel, of NCCL's function, of PyTorch's operation.
inline CollectiveKind collective_kind(std::string_view name) {
  struct Word {
    std::string_view word;
    CollectiveKind kind;
  };
  // What is more particular stands first: "sendrecv" before "send", "allreduce" before "reduce".
  constexpr Word kWords[] = {
      {"allreduce", CollectiveKind::kAllReduce},
      {"allgather", CollectiveKind::kAllGather},
      {"reducescatter", CollectiveKind::kReduceScatter},
      {"alltoall", CollectiveKind::kAllToAll},
      {"broadcast", CollectiveKind::kBroadcast},
      {"sendrecv", CollectiveKind::kSendReceive},
      {"barrier", CollectiveKind::kBarrier},
      {"crossdevicereduce", CollectiveKind::kAllReduce},
      {"intranode::dispatch", CollectiveKind::kAllToAll},
      {"internode::dispatch", CollectiveKind::kAllToAll},
      {"intranode::combine", CollectiveKind::kAllToAll},
      {"internode::combine", CollectiveKind::kAllToAll},
      {"lowlatency::dispatch", CollectiveKind::kAllToAll},
      {"lowlatency::combine", CollectiveKind::kAllToAll},
      {"multimemoneshotreduce", CollectiveKind::kAllReduce},
      {"recv", CollectiveKind::kReceive},
      {"send", CollectiveKind::kSend},
      {"reduce", CollectiveKind::kReduce},
  };
  const std::string text = detail::squeezed(name);
  for (const Word& w : kWords) {
    if (text.find(w.word) != std::string::npos) return w.kind;
  }
  return CollectiveKind::kUnknown;
}

/// Whether a kernel communicates by its name, demangled or short: NCCL and RCCL of all versions (ncclKernel_,
/// ncclDevKernel_, ncclSymk, rcclGenericKernel), NVSHMEM, MSCCL++, symmetric memory of PyTorch, custom all-reduce of
/// vLLM, SGLang and TensorRT-LLM, user buffers, DeepEP, and what is named after a collective.
inline bool communicates(std::string_view name) {
  constexpr std::string_view kWords[] = {
      "nccl",      "rccl",       "nvshmem",   "mscclpp",        "multimem_",     "cross_device_reduce",
      "deep_ep::", "all_reduce", "allreduce", "reduce_scatter", "reducescatter", "all_gather",
      "allgather", "all_to_all", "alltoall",
  };
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// Size S of a message as nccl-tests count it (PERFORMANCE.md): what a rank puts in, of all_gather what it gets out.
/// What is not said follows from the size of the group; nothing when it does not.
inline std::optional<std::int64_t> message_bytes(CollectiveKind kind, std::int64_t sent, std::int64_t received,
                                                 std::int64_t group_size) {
  const bool out = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReceive;
  const std::int64_t own = out ? received : sent, other = out ? sent : received;
  if (own != kNone) return own;
  if (other == kNone) return std::nullopt;
  const bool scaled = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
  if (scaled) return group_size > 0 ? std::optional(other * group_size) : std::nullopt;
  return other;
}

/// Factor from algorithm to bus bandwidth in a group of n (nccl-tests, PERFORMANCE.md); nothing for kinds that have
/// none.
inline std::optional<double> bus_factor(CollectiveKind kind, std::int64_t n) {
  if (n < 2) return std::nullopt;
  const auto ranks = static_cast<double>(n);
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return 2 * (ranks - 1) / ranks;
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
      return (ranks - 1) / ranks;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kSend:
    case CollectiveKind::kReceive:
    case CollectiveKind::kSendReceive:
      return 1;
    default:
      return std::nullopt;
  }
}

}  // namespace assay
