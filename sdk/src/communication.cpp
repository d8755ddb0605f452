#include "assay/detail/communication.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

namespace detail {

namespace {

// Lower case without '_', so that "AllReduce", "all_reduce" and "allreduce" become one word.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '_' && c != ' ') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

}  // namespace detail

CollectiveKind collective_kind(std::string_view name) {
  struct Word {
    std::string_view word;
    CollectiveKind kind;
  };
  // More specific words first: "sendrecv" before "send", "allreduce" before "reduce".
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

bool communicates(std::string_view name) {
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

std::optional<std::int64_t> message_bytes(CollectiveKind kind, std::int64_t sent, std::int64_t received,
                                          std::int64_t group_size) {
  const bool out = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReceive;
  const std::int64_t own = out ? received : sent, other = out ? sent : received;
  if (own != kNone) return own;
  if (other == kNone) return std::nullopt;
  const bool scaled = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
  if (scaled) return group_size > 0 ? std::optional(other * group_size) : std::nullopt;
  return other;
}

std::optional<double> bus_factor(CollectiveKind kind, std::int64_t n) {
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
