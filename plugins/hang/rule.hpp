// Who is at fault for a hang, by the dumps of a job: the rule of README.md.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dump.hpp"

namespace assay::hang {

/// A process group of the job; name, description and ranks tell groups apart.
struct Group {
  std::string name, description;
  std::vector<std::int64_t> members;
  bool has_p2p = false;
  bool is_counted = true;  ///< numbers of its collectives are comparable between the dumps
};

/// Where a rank is in a group.
struct Progress {
  std::int64_t called = 0, completed = 0;  ///< numbers of collectives; 0: none
  std::int64_t status_completed = 0;       ///< of any kind
  std::int64_t collectives = 0;            ///< in the dump
};

/// A rank of the job with its dump.
struct Member {
  const Dump* dump = nullptr;              ///< null: there is none, or it is damaged
  bool is_damaged = false;                 ///< there is one, and it cannot be relied on
  std::vector<const Call*> head;           ///< its first open call, all calls of a batch; empty: it has no open call
  std::map<std::size_t, Progress> groups;  ///< by Job::groups
  std::map<std::size_t, std::vector<const Call*>> open;  ///< calls by group
};

/// The dumps of one job. Built by `job_of`; outlives verdicts on it.
struct Job {
  std::vector<Dump> dumps;  ///< groups of calls are those of `groups`
  std::vector<Group> groups;
  std::map<std::int64_t, Member> ranks;  ///< each rank that a dump or group names
  std::string refusal;                   ///< why these are not the dumps of one job; empty: they are
  std::vector<std::string> remarks;      ///< sentences about missing, cut and unequal dumps
};

Job job_of(std::vector<Dump> dumps);

enum class Fault : std::uint8_t {
  kNotCalled,   ///< has no open call, and others wait for it
  kStuck,       ///< is still in a call that others have completed
  kDiffers,     ///< calls something else than the others
  kLeftOut,     ///< left out a send or receive
  kCollective,  ///< left out a collective between sends or receives
  kNoDump,      ///< others wait for it, and it left no dump
  kExtraCall,   ///< made a call that most have not
  kOrder,       ///< calls in another order than the others
};

struct Culprit {
  std::int64_t rank = kNone;
  Fault fault{};
  const Call* own = nullptr;     ///< its call; null: none
  const Call* others = nullptr;  ///< the call of those that wait for it, or that it differs from; null: none
  bool is_tie = false;           ///< the dumps do not tell whether it or another one that is named
};

enum class Outcome : std::uint8_t {
  kNothing,  ///< no call is open
  kNamed,
  kCircle,   ///< ranks wait for each other, and either may be at fault
  kDevice,   ///< all wait on the device
  kTooFew,   ///< too many dumps are missing
  kRefused,  ///< Job::refusal
};

struct Verdict {
  Outcome outcome = Outcome::kNothing;
  std::vector<Culprit> culprits = {};                         ///< each rank at most once, ascending within a fault
  std::vector<std::int64_t> circle = {};                      ///< ranks of kCircle
  std::vector<std::int64_t> missing = {};                     ///< ranks without a dump that are asked for
  std::map<std::int64_t, std::set<std::int64_t>> waits = {};  ///< by rank: whom it waits for
};

Verdict verdict_on(const Job& job);

}  // namespace assay::hang
