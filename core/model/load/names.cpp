#include "load/names.hpp"

#include <algorithm>

namespace assay::load {
namespace {

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

bool is_asynchronous(std::string_view name) { return has(name, "Async"); }

/// ROCm and MUSA name their calls after CUDA's, and ROCm has more calls that launch kernels. `vendor`: "hip", "musa".
CallKind kind_of_other_call(std::string_view name, std::string_view vendor) {
  if (has(name, "GraphLaunch")) return CallKind::kGraphLaunch;
  if (has(name, "LaunchHostFunc") || has(name, "Graph")) return CallKind::kOther;
  if (has(name, "Launch") && has(name, "Kernel")) return CallKind::kKernelLaunch;
  if (has(name, "DeviceSynchronize") || has(name, "CtxSynchronize")) return CallKind::kDeviceSync;
  if (has(name, "StreamSynchronize")) return CallKind::kStreamSync;
  if (has(name, "EventSynchronize")) return CallKind::kEventSync;
  const std::string_view what = name.substr(vendor.size());
  if (what.starts_with("Memcpy")) return is_asynchronous(name) ? CallKind::kCopy : CallKind::kBlockingCopy;
  return what.starts_with("Memset") ? CallKind::kSet : CallKind::kOther;
}

/// Unified Runtime of Intel's GPUs.
CallKind kind_of_xpu_call(std::string_view name) {
  if (name.starts_with("urEnqueueKernelLaunch")) return CallKind::kKernelLaunch;
  if (name == "urQueueFinish") return CallKind::kStreamSync;
  if (name == "urEventWait") return CallKind::kEventSync;
  if (name.starts_with("urEnqueueUSMMemcpy") || name.starts_with("urEnqueueMemBufferCopy")) return CallKind::kCopy;
  return name.starts_with("urEnqueueUSMFill") ? CallKind::kSet : CallKind::kOther;
}

/// Calls of runtimes that are not known: what they launch says what launches, and these words say what waits.
CallKind kind_of_wait(std::string_view name) {
  if (!has(name, "ynchronize")) return CallKind::kOther;
  return has(name, "tream") ? CallKind::kStreamSync : has(name, "vent") ? CallKind::kEventSync : CallKind::kDeviceSync;
}

}  // namespace

std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  if (at == std::string_view::npos || at + 2 == name.size()) return name;
  const std::string_view digits = name.substr(at + 2);
  return digits.find_first_not_of("0123456789") == std::string_view::npos ? name.substr(0, at) : name;
}

CallKind kind_of_call(std::string_view name) {
  for (const std::string_view vendor : {"hip", "musa", "mu"}) {
    if (name.starts_with(vendor)) return kind_of_other_call(name, vendor);
  }
  if (name.starts_with("ur")) return kind_of_xpu_call(name);
  const bool is_cuda = name.starts_with("cuda") || name.starts_with("cu");
  if (!is_cuda) return kind_of_wait(name);
  if (has(name, "GraphLaunch")) return CallKind::kGraphLaunch;
  if (has(name, "LaunchHostFunc")) return CallKind::kOther;
  if (name.starts_with("cudaLaunch") || name.starts_with("cuLaunch")) return CallKind::kKernelLaunch;
  if (has(name, "DeviceSynchronize") || has(name, "CtxSynchronize") || has(name, "ThreadSynchronize"))
    return CallKind::kDeviceSync;
  if (has(name, "StreamSynchronize")) return CallKind::kStreamSync;
  if (has(name, "EventSynchronize")) return CallKind::kEventSync;
  // Graph nodes and attributes only describe work: cudaGraphAddMemcpyNode copies nothing.
  if (has(name, "Graph")) return CallKind::kOther;
  if (name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy")) {
    return is_asynchronous(name) ? CallKind::kCopy : CallKind::kBlockingCopy;
  }
  if (name.starts_with("cudaMemset") || name.starts_with("cuMemset")) return CallKind::kSet;
  return CallKind::kOther;
}

std::string_view base_name(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t begin = 0, end = name.size();
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (depth == 0 && name.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
    } else if (c == '(' && depth == 0) {  // parameters
      end = std::min(end, at);
      break;
    } else if (c == '<' || c == '{' || c == '(') {
      if (depth++ == 0 && c == '<') end = at;
    } else if (c == '>' || c == '}' || c == ')') {
      --depth;
    } else if (depth == 0 && (c == ':' || c == ' ')) {
      begin = at + 1;
      end = name.size();
    }
  }
  const std::string_view base = begin < end ? name.substr(begin, end - begin) : std::string_view();
  return base.empty() ? name : base;
}

}  // namespace assay::load
