// Reads the tables of one export into a Store, only what was asked for.
#pragma once

#include "formats/sqlite/schema.hpp"
#include "formats/sqlite/table_load.hpp"
#include "load/collectives.hpp"

namespace assay::load {

/// "Enqueue Launch@solver.c:12" of events that know their place in the source, as nsys names them.
void name_places(HostEventRows& rows, std::span<const StringId> text_of, StringPool& strings);

/// Device tables; each leaves its optional empty when the file has no such table or nobody wants it.
void read_kernels(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
void read_other_work(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// API calls, each once, and those listed again, with `name` holding string keys.
void read_calls(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// NVTX ranges of both kinds, with `name` and `domain` final.
void read_ranges(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Events of other interfaces on the host and page faults, with names holding string keys.
void read_others(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Samples of the GPU's own counters, as tables that the format declares (metric_columns.hpp).
void read_metrics(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Names of the threads that `store` has.
void read_thread_names(const Source& source, Profile::Store& store);
/// Communicator and size of what NCCL said around its launches, by the number of the NVTX row: empty in exports without
/// blobs. Call when ranges were read.
Payloads read_payloads(const Source& source, std::vector<Issue>& issues);
/// What the capture says of where it was made, as properties: "origin_ns", "hostname", and of the environment what
/// places the program in a job.
void read_properties(const Source& source, Profile::Store& store);
/// Numbers the devices of rows by GPU, as far as the export tells; numbers of two processes never become one device
/// without it. Call before `read_devices`.
void assign_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Devices named by the export or by a row.
void read_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Replaces string keys by strings, names calls and tells their kinds.
void read_strings(const Source& source, Profile::Store& store, std::vector<Issue>& issues);

}  // namespace assay::load
