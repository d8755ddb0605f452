// What the host's threads waited for outside of calls of CUDA.
#pragma once

#include <map>

#include "assay/algo/intervals.hpp"
#include "formats/sqlite/table_load.hpp"

namespace assay::load {

/// Intervals by row of threads.
using ThreadTimes = std::map<std::uint32_t, Intervals>;

/// When threads were not scheduled, between leaving a processor and returning to one. Empty: not recorded.
ThreadTimes read_scheduled_out(const Source& source, std::vector<Issue>& issues);

/// Adds causes of idle time: waiting for Python's interpreter lock (with the thread that holds it), in a call of the
/// operating system, scheduled out; the first that fits. Requires final names and sorted ranges, calls and os_calls.
void add_host_waits(const ThreadTimes& scheduled_out, Profile::Store& store);

/// Adds the table `gil` if the file has ranges of the interpreter lock.
void add_gil(Profile::Store& store);

}  // namespace assay::load
