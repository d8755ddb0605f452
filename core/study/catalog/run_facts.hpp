// What a profile says about the execution that it is from, whatever its name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay {

inline constexpr std::int64_t kNoTime = INT64_MIN;

/// Shares of kernel time by (name, grid), 0..1, those of the longest kernels, sorted by key. Empty: no kernels.
using Program = std::vector<std::pair<std::uint64_t, double>>;

/// From the first to the last of something.
struct FirstLast {
  std::int64_t first = 0, last = 0;
};

/// A process on a device, or a process without device work.
struct ProcessOnDevice {
  std::int64_t pid = 0;      ///< 0: not known
  std::int32_t device = -1;  ///< DeviceTable::id; -1: no kernels
  std::uint64_t kernels = 0;
};

struct RunFacts {
  std::vector<ProcessOnDevice> places;  ///< by pid, then device
  std::string host, job;                ///< as the file states them; empty: it does not
  std::int64_t rank = -1, world = -1;   ///< likewise; -1: it does not
  FirstLast time{kNoTime, kNoTime};     ///< events, ns since 1970
  FirstLast correlations;               ///< of kernels; 0: none
  std::string step;                     ///< "profilerstep#" if steps are numbered; empty: they are not
  FirstLast steps;                      ///< their numbers
  bool communicates = false;            ///< collectives, sends or receives ran
  Program program;
};

}  // namespace assay
