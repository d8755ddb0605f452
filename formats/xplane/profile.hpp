// The contents of an xplane.pb as rows: times in ns on the clock of the file, texts as numbers of the pool, -1:
// unknown.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/report.hpp"
#include "text_pool.hpp"

namespace assay::xplane {

/// kernel_details: "regs:116 static_shared:0 dynamic_shared:114688 grid:384,1,1 block:256,1,1 occ_pct:25".
struct LaunchShape {
  std::int32_t registers = -1, static_shared = -1, dynamic_shared = -1;
  std::int32_t grid[3] = {-1, -1, -1}, block[3] = {-1, -1, -1};
  double occupancy_percent = -1;  ///< allowed by the launch shape; 0: not computed by the profiler
};

/// memcpy_details and memset_details: "kind_src:device kind_dst:pinned size:4 dest:0 async:1".
struct TransferShape {
  std::int64_t bytes = -1;
  MemoryKind source_kind = MemoryKind::kUnknown, target_kind = MemoryKind::kUnknown;
  bool waits = false;  ///< the call returns when the copy has ended
};

enum class WorkKind : std::uint8_t { kKernel, kCopy, kSet };

/// Device work. `shape` is an index into Profile::launches or Profile::transfers; 0: unknown.
struct Work {
  std::int64_t start = 0, end = 0, correlation = -1, graph_node = -1, program = -1;
  std::int32_t device = 0, stream = -1, context = -1;
  TextId name = 0, hlo_op = 0, path = 0;
  std::uint32_t shape = 0;
  WorkKind kind = WorkKind::kKernel;
};

/// A call of CUDA or HIP, or a wait of JAX.
struct Call {
  std::int64_t start = 0, end = 0, correlation = -1;
  TextId name = 0;
  std::uint32_t thread = 0;
  bool waits = false;  ///< as TransferShape::waits
  bool syncs = false;  ///< JAX waits for a device
};

/// Other host events: a range, a Python function, overhead of the profiler.
struct HostEvent {
  std::int64_t start = 0, end = 0;
  TextId name = 0;
  std::uint32_t thread = 0;
  bool of_runtime = false;  ///< of a range: made by JAX or XLA rather than the program
};

/// A change of the memory in use by an allocator of XLA.
struct Allocation {
  std::int64_t time = 0, bytes = 0, allocated = -1, reserved = -1;
  std::int32_t device = -1;
  std::uint32_t thread = 0;
};

struct Thread {
  std::int64_t id = -1;  ///< of the operating system
  std::string_view name;
};

struct Device {
  std::int32_t id = 0, cores = -1, compute_major = -1, compute_minor = -1;
  std::int64_t memory = -1, bandwidth = -1, clock = -1;  ///< bytes, bytes/s, Hz
  std::string_view name, vendor;
};

/// Number of rows in an unread part of the file.
struct Unread {
  std::string_view part, name;
  std::int64_t rows = 0;
};

/// A program compiled by XLA: the HloProto of its metadata, not parsed yet.
struct Program {
  std::int64_t id = -1;
  std::string_view name, proto;  ///< "jit_step(9955)"
};

struct Profile {
  TextPool texts;
  std::vector<Work> work;
  std::vector<Call> calls;
  std::vector<HostEvent> ranges, functions, overheads;
  std::vector<HostEvent> runtime;  ///< ranges of JAX and XLA themselves
  std::vector<Allocation> allocations;
  std::vector<Thread> threads;
  std::vector<Device> devices;
  std::vector<Program> programs;
  std::vector<LaunchShape> launches = std::vector<LaunchShape>(1);
  std::vector<TransferShape> transfers = std::vector<TransferShape>(1);
  std::vector<Unread> unread;
  std::int64_t process = -1;
  std::int64_t steps = 0;               ///< ranges of StepTraceAnnotation
  std::int64_t began = -1, ended = -1;  ///< ns since the epoch
  std::string_view host, jax_version, driver_version, cuda_version;
  std::int64_t tpu_rows = 0;   ///< of TPU planes, which are not read
  std::string_view tpu_plane;  ///< name of the first
  std::int64_t unnamed = 0;    ///< events whose metadata has no name
};

}  // namespace assay::xplane
