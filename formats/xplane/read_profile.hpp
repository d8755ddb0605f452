// Reads an xplane.pb (XSpace of XLA's profiler) into rows.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "plane.hpp"
#include "profile.hpp"

namespace assay::xplane {

/// Whether a file begins like an XSpace: with a plane whose name is one of XLA's.
bool begins_like_a_space(std::string_view head);

/// Rows of a file, read by at most this many threads. They refer to `bytes`. Throws Damage.
Profile read_profile(std::string_view bytes, unsigned threads = 1);

/// Only the headers of the planes: devices, versions, host, times. Throws Damage.
Profile read_headers(std::string_view bytes);

/// Kind of a host event, by its name.
enum class NameKind : std::uint8_t {
  kUnseen,
  kRange,
  kWait,  ///< a range in which the thread waits for a device
  kCall,
  kFunction,
  kWaitingFunction,
  kAllocation,
  kFree
};

/// Values computed once per text for all planes of a file, which may be many.
struct ReadCaches {
  unsigned threads = 1;                         ///< number of threads that may read a line
  std::vector<std::uint32_t> launch, transfer;  ///< number of the shape; 0: not read yet; also below
  std::vector<TextId> made;
  std::vector<NameKind> kind;
  std::unordered_map<std::int64_t, std::uint32_t> thread;  ///< row, by operating system id
};

/// Adds the events of the lines of a device.
void read_device_lines(std::string_view plane, const PlaneMetadata& metadata, std::int32_t device, ReadCaches& caches,
                       Profile& profile);
/// Adds the events of the lines of a host plane, which are threads.
void read_host_lines(std::string_view plane, const PlaneMetadata& metadata, ReadCaches& caches, Profile& profile);

/// Separates the ranges of JAX and XLA from those of the program: ranges inside a call of a compiled function or inside
/// another range of JAX or XLA are theirs.
void part_runtime(Profile& profile);

}  // namespace assay::xplane
