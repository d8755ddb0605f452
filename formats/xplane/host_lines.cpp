#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "details.hpp"
#include "read_profile.hpp"

namespace assay::xplane {
namespace {

constexpr std::string_view kApiThreads = "Host Threads/";

/// "cuGraphLaunch", "hipModuleLaunchKernel": a call of the driver or the runtime.
bool is_api_name(std::string_view name) {
  for (const std::string_view api : {"cuda", "cu", "hip"}) {
    if (name.size() > api.size() && name.starts_with(api) && name[api.size()] >= 'A' && name[api.size()] <= 'Z')
      return true;
  }
  return false;
}

/// Functions in which JAX waits for results without a recorded call.
bool waits_for_device(std::string_view name) {
  for (const std::string_view wait :
       {"np.asarray(jax.Array)", "BlockHostUntilReady", "BlockUntilReady", " block_until_ready"}) {
    if (name.find(wait) != std::string_view::npos) return true;
  }
  return name.ends_with("::Await");
}

NameKind kind_of(std::string_view name) {
  const bool waits = waits_for_device(name);
  if (name.starts_with('$')) return waits ? NameKind::kWaitingFunction : NameKind::kFunction;
  if (waits) return NameKind::kWait;
  if (name == "MemoryAllocation") return NameKind::kAllocation;
  if (name == "MemoryDeallocation") return NameKind::kFree;
  return is_api_name(name) ? NameKind::kCall : NameKind::kRange;
}

/// "array.py(293): __float__" from "$array.py:293 __float__", the notation of PyTorch's profiler.
std::string function_name(std::string_view name) {
  name.remove_prefix(1);
  const std::size_t space = name.find(' '), colon = name.substr(0, std::min(space, name.size())).rfind(':');
  if (space == std::string_view::npos || colon == std::string_view::npos) return std::string(name);
  return std::string(name.substr(0, colon)) + "(" + std::string(name.substr(colon + 1, space - colon - 1)) +
         "):" + std::string(name.substr(space));
}

/// Device of an allocator "GPU_0_bfc"; -1: host.
std::int32_t device_of(std::string_view allocator) {
  if (!allocator.starts_with("GPU_") || allocator.size() < 5) return -1;
  std::int32_t device = -1;
  for (const char c : allocator.substr(4, 4)) {
    if (c < '0' || c > '9') break;
    device = std::max(device, 0) * 10 + (c - '0');
  }
  return device;
}

class HostReader {
 public:
  HostReader(const PlaneMetadata& metadata, ReadCaches& caches, Profile& profile)
      : metadata_(metadata), caches_(caches), profile_(profile) {}

  void read(const Line& line) {
    if (line.events == 0) return;
    thread_ = thread_of(line);
    of_api_ = line.name.starts_with(kApiThreads);
    // "pjrt_async_work_runner/1756945456572012972": runs no code of the program.
    of_pool_ = !of_api_ && line.name.find('/') != std::string_view::npos;
    each_field(line.message, [&](const Field& field) {
      if (field.is_bytes(4)) add(read_event(field.bytes, line, metadata_, stats_));
    });
  }

  void finish() {
    if (instants_ > 0) profile_.unread.push_back({"kind", "instants", instants_});
  }

 private:
  std::uint32_t thread_of(const Line& line) {
    // Older versions number lines by thread, later ones by a hash of it.
    const std::int64_t id = line.id > 0 && line.id < (std::int64_t{1} << 31) ? line.id : -1;
    const auto row = static_cast<std::uint32_t>(profile_.threads.size());
    if (id >= 0) {
      const auto [known, fresh] = caches_.thread.try_emplace(id, row);
      if (!fresh) return known->second;
    }
    std::string_view name = line.display_name.empty() ? line.name : line.display_name;
    if (name.starts_with(kApiThreads)) name = {};
    profile_.threads.push_back({id, name.substr(0, name.find('/'))});
    return row;
  }

  void add(const Event& event) {
    const EventName* const name = metadata_.event(event.metadata);
    if (name == nullptr) {
      ++profile_.unnamed;
      return;
    }
    const NameKind kind = kind_of_name(*name);
    if (stats_.has(Stat::kCorrelation) || kind == NameKind::kCall) return add_call(event, *name, kind);
    if (kind == NameKind::kAllocation || kind == NameKind::kFree) return add_allocation(event, kind);
    if (kind == NameKind::kWait || kind == NameKind::kWaitingFunction) add_wait(event, *name);
    if (kind == NameKind::kFunction || kind == NameKind::kWaitingFunction)
      return profile_.functions.push_back({event.start, event.end, made(*name, function_name), thread_});
    if (of_api_) return profile_.overheads.push_back({event.start, event.end, name->text, thread_});
    if (stats_.has(Stat::kStep)) return add_step(event, *name);
    if (!event.is_interval) {
      ++instants_;
      return;
    }
    const bool runtime = of_pool_ || stats_.has(Stat::kRuntime) || name->name.find("::") != std::string_view::npos;
    profile_.ranges.push_back({event.start, event.end, name->text, thread_, runtime});
  }

  NameKind kind_of_name(const EventName& name) {
    if (caches_.kind.size() <= name.text) {
      caches_.kind.resize(name.text + 1);
      caches_.made.resize(name.text + 1);
    }
    NameKind& kind = caches_.kind[name.text];
    if (kind == NameKind::kUnseen) kind = kind_of(name.name);
    return kind;
  }

  void add_step(const Event& event, const EventName& name) {
    const std::string numbered = std::string(name.name) + " " + std::to_string(stats_.integer(Stat::kStep));
    profile_.ranges.push_back({event.start, event.end, profile_.texts.keep(numbered), thread_});
    ++profile_.steps;
  }

  void add_call(const Event& event, const EventName& name, NameKind kind) {
    Call& call = profile_.calls.emplace_back();
    call.start = event.start;
    call.end = event.end;
    call.thread = thread_;
    call.correlation = stats_.integer(Stat::kCorrelation);
    const bool transfer = name.name.starts_with("Memcpy") || name.name.starts_with("Memset");
    // XLA names a launch by its kernel.
    call.name = made(name, [&](std::string_view text) {
      return std::string(kind == NameKind::kCall || transfer ? text.substr(0, text.find(" (")) : "cuLaunchKernel");
    });
    if (stats_.has(Stat::kTransferDetails)) call.waits = transfer_shape(stats_.text(Stat::kTransferDetails)).waits;
  }

  /// A wait is also recorded as a synchronisation; otherwise it would count as code of the program.
  void add_wait(const Event& event, const EventName& name) {
    Call& call = profile_.calls.emplace_back();
    call.start = event.start;
    call.end = event.end;
    call.thread = thread_;
    call.name = name.text;
    call.syncs = true;
  }

  void add_allocation(const Event& event, NameKind kind) {
    const std::int64_t bytes = stats_.integer(Stat::kAllocationBytes);
    if (bytes < 0) return;
    profile_.allocations.push_back({event.start, kind == NameKind::kFree ? -bytes : bytes,
                                    stats_.integer(Stat::kBytesAllocated), stats_.integer(Stat::kBytesReserved),
                                    device_of(stats_.text(Stat::kAllocator)), thread_});
  }

  /// A text derived from a name, made once per name.
  template <class Make>
  TextId made(const EventName& name, Make&& make) {
    TextId& text = caches_.made[name.text];
    if (text == 0) text = profile_.texts.keep(make(name.name));
    return text;
  }

  const PlaneMetadata& metadata_;
  ReadCaches& caches_;
  Profile& profile_;
  EventStats stats_;
  std::uint32_t thread_ = 0;
  bool of_api_ = false, of_pool_ = false;
  std::int64_t instants_ = 0;
};

}  // namespace

void part_runtime(Profile& profile) {
  std::vector<HostEvent>& ranges = profile.ranges;
  std::ranges::stable_sort(ranges, {}, [](const HostEvent& r) { return std::tuple(r.thread, r.start, -r.end); });
  std::uint32_t thread = 0;
  std::int64_t runtime_until = std::numeric_limits<std::int64_t>::min();
  for (HostEvent& range : ranges) {
    if (range.thread != thread) {
      thread = range.thread;
      runtime_until = std::numeric_limits<std::int64_t>::min();
    }
    range.of_runtime = range.of_runtime || range.end <= runtime_until;
    const std::string_view name = profile.texts[range.name];
    for (const std::string_view begins : {"Wait for ", "D2H ", "H2D "})  // "Wait for donation holds"
      range.of_runtime = range.of_runtime || name.starts_with(begins);
    if (range.of_runtime || name.starts_with("PjitFunction(") || waits_for_device(name))
      runtime_until = std::max(runtime_until, range.end);
  }
  const auto own = std::ranges::stable_partition(ranges, [](const HostEvent& range) { return !range.of_runtime; });
  profile.runtime.assign(own.begin(), own.end());
  ranges.erase(own.begin(), own.end());
}

void read_host_lines(std::string_view plane, const PlaneMetadata& metadata, ReadCaches& caches, Profile& profile) {
  HostReader reader(metadata, caches, profile);
  each_field(plane, [&](const Field& field) {
    if (field.is_bytes(3)) reader.read(read_line(field.bytes));
  });
  reader.finish();
}

}  // namespace assay::xplane
