// Dumps of a made job as files.
#pragma once

#include <string>

#include "made_job.hpp"
#include "memory/made_pickle.hpp"

namespace assay::made {

/// As PyTorch writes it, with frames.
inline std::string pickle_of(const MadeJob& job, std::size_t rank, const std::string& version = "2.10") {
  using test::dict, test::list, test::pickled;
  const auto text = [](const std::string& word) { return pickled(word); };
  std::vector<std::pair<std::string, std::string>> groups, states;
  const auto statuses = job.statuses(rank);
  for (std::size_t g = 0; g < job.groups.size(); ++g) {
    const GroupSpec& group = job.groups[g];
    if (!group.has(static_cast<std::int64_t>(rank))) continue;
    groups.emplace_back(
        group.name,
        dict({{"name", text(group.name)}, {"desc", text(group.description)}, {"ranks", text(group.ranks())}}));
    const auto status = statuses.find(g);
    const MadeStatus none{-1, -1};
    const MadeStatus& known = status == statuses.end() ? none : status->second;
    states.emplace_back(std::to_string(states.size()), dict({{"last_enqueued_collective", pickled(known.called)},
                                                             {"last_started_collective", pickled(std::int64_t{-1})},
                                                             {"last_completed_collective", pickled(known.completed)}}));
  }
  std::vector<std::string> entries;
  for (const MadeRecord& record : job.records(rank)) {
    const GroupSpec& group = job.groups[record.group];
    const std::size_t colon = record.line.find(':');
    const auto frame =
        test::frame("step", "/home/user/" + record.line.substr(0, colon), std::stoll(record.line.substr(colon + 1)));
    const auto library = test::frame("wrapper", "/usr/lib/python3/site-packages/torch/distributed/c10d_logger.py", 83);
    entries.push_back(dict({{"frames", list({library, frame})},
                            {"record_id", pickled(record.id)},
                            {"pg_id", pickled(std::int64_t{-1})},
                            {"process_group", text(group.name) + text(group.description) + "\x86"},
                            {"collective_seq_id", pickled(record.number)},
                            {"p2p_seq_id", pickled(record.p2p_number)},
                            {"profiling_name", text(record.operation)},
                            {"time_created_ns", pickled(1'700'000'000'000'000'000 + record.id)},
                            {"input_sizes", list({list({pickled(record.elements)})})},
                            {"input_dtypes", list({text(record.type)})},
                            {"state", text(record.completed ? "completed" : "scheduled")},
                            {"is_p2p", record.is_p2p ? "\x88" : "\x89"}}));
  }
  return test::whole(dict({{"version", text(version)},
                           {"pg_config", dict(groups)},
                           {"comm_lib_version", text("2.28.9")},
                           {"pg_status", dict(states)},
                           {"entries", list(entries)}}));
}

/// The same as JSON, whose keys PyTorch sorts and whose states are texts; without frames.
inline std::string json_of(const MadeJob& job, std::size_t rank, std::int64_t origin = 1'700'000'000'000'000'000) {
  std::string groups, states, entries;
  std::size_t local = 0;
  const auto statuses = job.statuses(rank);
  for (std::size_t g = 0; g < job.groups.size(); ++g) {
    const GroupSpec& group = job.groups[g];
    if (!group.has(static_cast<std::int64_t>(rank))) continue;
    const auto status = statuses.find(g);
    const MadeStatus known = status == statuses.end() ? MadeStatus{-1, -1} : status->second;
    const std::string comma = local > 0 ? "," : "";
    groups += comma + "\"" + group.name + "\":{\"desc\":\"" + group.description + "\",\"name\":\"" + group.name +
              "\",\"ranks\":\"" + group.ranks() + "\"}";
    states += comma + "\"" + std::to_string(local++) + "\":{\"last_completed_collective\":\"" +
              std::to_string(known.completed) + "\",\"last_enqueued_collective\":\"" + std::to_string(known.called) +
              "\",\"last_started_collective\":\"-1\"}";
  }
  for (const MadeRecord& record : job.records(rank)) {
    const GroupSpec& group = job.groups[record.group];
    entries += std::string(entries.empty() ? "" : ",") + "{\"collective_seq_id\":" + std::to_string(record.number) +
               ",\"input_dtypes\":[\"" + record.type + "\"],\"input_sizes\":[[" + std::to_string(record.elements) +
               "]],\"is_p2p\":" + (record.is_p2p ? "true" : "false") +
               ",\"p2p_seq_id\":" + std::to_string(record.p2p_number) + ",\"pg_id\":-1,\"process_group\":[\"" +
               group.name + "\",\"" + group.description + "\"],\"profiling_name\":\"" + record.operation +
               "\",\"record_id\":" + std::to_string(record.id) + ",\"state\":\"" +
               (record.completed ? "completed" : "scheduled") +
               "\",\"time_created_ns\":" + std::to_string(origin + record.id) + "}";
  }
  return "{\"comm_lib_version\":\"2.28.9\",\"entries\":[" + entries + "],\"pg_config\":{" + groups +
         "},\"pg_status\":{" + states + "},\"version\":\"2.10\"}";
}

}  // namespace assay::made
