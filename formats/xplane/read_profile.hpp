// Reads an xplane.pb (XSpace of XLA's profiler) into rows.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "plane.hpp"
#include "profile.hpp"

namespace assay::xplane {

/// Whether a file begins as XSpace does: with a plane of a name that XLA gives.
bool begins_like_a_space(std::string_view head);

/// Rows of a file, read by at most so many threads. They borrow `bytes`. Throws Damage.
Profile read_profile(std::string_view bytes, unsigned threads = 1);

/// Only what the planes say of themselves: devices, versions, host, times. Throws Damage.
Profile read_headers(std::string_view bytes);

/// What an event on a host is, by its name.
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

/// What is computed once for all planes of a file, by text: a file may have a great many.
struct ReadCaches {
  unsigned threads = 1;                         ///< at most so many read a line
  std::vector<std::uint32_t> launch, transfer;  ///< number of the shape; 0: not yet; so below
  std::vector<TextId> made;
  std::vector<NameKind> kind;
  std::unordered_map<std::int64_t, std::uint32_t> thread;  ///< row, by the number of the operating system
};

/// Adds the events of a device's lines.
void read_device_lines(std::string_view plane, const PlaneMetadata& metadata, std::int32_t device, ReadCaches& caches,
                       Profile& profile);
/// Adds the events of the lines of a host's plane, which are threads.
void read_host_lines(std::string_view plane, const PlaneMetadata& metadata, ReadCaches& caches, Profile& profile);

/// Parts the ranges of JAX and XLA from those of the program: what lies inside of a call of a compiled function or of
/// another range of theirs is theirs.
void part_runtime(Profile& profile);

}  // namespace assay::xplane
