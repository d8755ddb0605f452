// Reads the requested tables of an export into a Store.
#pragma once

#include "formats/sqlite/schema.hpp"
#include "formats/sqlite/table_load.hpp"
#include "load/collectives.hpp"

namespace assay::load {

/// Names events with a source location as nsys does: "Enqueue Launch@solver.c:12".
void name_places(HostEventRows& rows, std::span<const StringId> text_of, StringPool& strings);

/// Device tables. Each leaves its optional empty if the file has no such table or it was not requested.
void read_kernels(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
void read_other_work(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// API calls, each once, and duplicates separately; `name` holds string keys.
void read_calls(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// NVTX ranges of both kinds, with final `name` and `domain`.
void read_ranges(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Events of other interfaces on the host and page faults; names hold string keys.
void read_others(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Samples of the GPU's own counters, as tables declared by the format (metric_columns.hpp).
void read_metrics(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Row of a thread that other tables have; kUnknown: none does, as of another process on the machine.
std::uint32_t known_thread(const Source& source, std::int64_t global_tid);
/// Samples of CPU threads, as the tables samples, stacks and frames; texts of `frames` are string keys.
void read_samples(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Names of the threads in `store`.
void read_thread_names(const Source& source, Profile::Store& store);
/// Communicator and size from NCCL's ranges around its launches, by NVTX row number; empty for exports without blobs.
/// Requires that ranges were read.
Payloads read_payloads(const Source& source, std::vector<Issue>& issues);
/// The origin of the capture as properties: "origin_ns", "hostname", and the environment variables that give the rank
/// in a job.
void read_properties(const Source& source, Profile::Store& store);
/// Numbers the devices of rows by GPU as far as the export allows; otherwise equal numbers in two processes stay
/// different devices. Call before `read_devices`.
void assign_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Devices named by the export or by a row.
void read_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues);
/// Replaces string keys by strings, names calls and determines their kinds.
void read_strings(const Source& source, Profile::Store& store, std::vector<Issue>& issues);

}  // namespace assay::load
