// Reports of other interfaces than CUDA and NVTX: the operating system's library, MPI, OpenACC, OpenMP.
#pragma once

#include "made.hpp"

namespace assay::nsys {

/// Durations by name. `count` is the heading of how many there are.
Made host_sum(const Report& report, const Task& task, const HostEventTable* events, const char* count,
              const char* lack);

/// The same by kind of operation and name.
Made mpi_sum(const Report& report, const Task& task);

/// Every MPI event by its start.
Made mpi_trace(const Report& report, const Task& task, ReportSink& sink);

}  // namespace assay::nsys
