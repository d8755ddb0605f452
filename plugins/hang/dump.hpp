// What a dump of the flight recorder says about its rank, reduced to what the rule asks for.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::hang {

/// A row of collective_records.
struct Record {
  std::int64_t id = 0, group = kNone;  ///< group: of Dump::groups
  std::int64_t number = 0, p2p_number = 0;
  std::string_view operation, types, line, frames;
  std::int64_t elements = kNoCell;
  bool completed = false;
};

/// A call that has not completed.
struct Call {
  std::int64_t rank = kNone;                ///< that made it, once it is in a job
  std::size_t group = 0;                    ///< of Dump::groups; of Job::groups once it is in a job
  std::int64_t number = 0, p2p_number = 0;  ///< in its group, without batches of sends and receives
  std::string operation, types, line, frames;
  std::int64_t elements = kNoCell;
  bool is_batch = false;
  // Of a send or receive:
  bool is_send = false;
  std::int64_t peer = kNone;          ///< place of the other end in the group; kNone: a collective
  std::int64_t turn = 0;              ///< how many of them there were to this peer, with this one
  std::int64_t collectives = 0;       ///< of the group, called before it
  std::int64_t since = 0;             ///< of `turn`, after the last of these collectives
  std::int64_t most_between = kNone;  ///< the most between any two of them; kNone: there are no two
};

/// Sends, or receives, to one peer.
struct Pair {
  std::size_t group = 0;
  std::int64_t peer = 0, calls = 0, completed = 0;
  bool is_send = false;
};

/// A process group, and how far the rank is in it. Numbers count from 1; 0: none.
struct GroupState {
  std::string name, description, ranks;
  std::vector<std::int64_t> members = {};
  std::int64_t status_called = 0, status_completed = 0;  ///< by pg_status
  std::int64_t called = 0, completed = 0;  ///< by the calls; completed: of those that no rank leaves early
  std::int64_t collectives = 0;            ///< calls of collectives in the dump
  bool has_p2p = false, has_p2p_batches = false;
};

struct Dump {
  std::int64_t rank = kNone;
  std::string version;
  bool is_damaged = false;
  bool is_complete = false;    ///< has all calls since the start of the rank
  bool has_only_open = false;  ///< calls that completed are not in it
  std::int64_t last_call = 0;  ///< ns since the epoch; 0: there is no call
  std::vector<GroupState> groups;
  std::vector<Call> open;  ///< by record; the first of each group, since only these decide
  std::vector<Pair> pairs;
};

/// Fills what follows from the calls, whose groups are those of the dump.
void summarize(std::vector<Record> records, Dump& dump);

/// Operations whose name without "nccl:" and "_" begins so: "reduce" is not "reduce_scatter".
bool is_operation(std::string_view operation, std::string_view name);

/// Whether a rank can leave the collective before the others have entered it.
bool may_leave_early(std::string_view operation);

/// The rank numbers of a text "[0, 1, 2]".
std::vector<std::int64_t> members_of(std::string_view ranks);

}  // namespace assay::hang
