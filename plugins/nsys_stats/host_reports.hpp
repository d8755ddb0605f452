// Reports of other interfaces than CUDA and NVTX: the operating system's library, MPI, OpenACC, OpenMP.
#pragma once

#include "made.hpp"

namespace assay::nsys {

/// How a report of durations by name differs from the others.
struct HostSum {
  const char* count;      ///< heading of how many there are
  const char* lack;       ///< what is said without events
  bool by_table = false;  ///< names of different tables of the export count apart
};
inline constexpr HostSum kOsCalls = {"Num Calls", "the export holds no calls of the operating system"};
inline constexpr HostSum kOpenAcc = {"Num Calls", "the export holds no OpenACC events"};
inline constexpr HostSum kOpenMp = {"Count", "the export holds no OpenMP events", true};

/// Durations by name.
Made host_sum(const Report& report, const Task& task, const HostEventTable* events, const HostSum& sum);

/// The same by kind of operation and name.
Made mpi_sum(const Report& report, const Task& task);

/// Every MPI event by its start.
Made mpi_trace(const Report& report, const Task& task, ReportSink& sink);

}  // namespace assay::nsys
