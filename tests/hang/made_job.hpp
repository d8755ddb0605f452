// A job that communicates, run by its own rules: hosts enqueue calls, devices start them in order, and a call completes
// once its partners have started theirs. What stays open when nothing moves any more is what dumps show. It knows
// nothing of the rule of the analyzer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace assay::made {

enum class Act : std::uint8_t {
  kCall,  ///< a collective
  kSend,
  kReceive,
  kBatch,  ///< sends and receives at once
  kSync,   ///< the host waits for all of its calls
  kSleep,  ///< the host does nothing any more
  kStick,  ///< the device never goes on
};

struct Step {
  Act act = Act::kCall;
  std::size_t group = 0;
  std::string operation = "all_reduce", type = "Float", line = "train.py:1";
  std::int64_t elements = 1024;
  std::int64_t peer = -1;        ///< place in the group; of a broadcast or reduce: the root
  std::vector<Step> parts = {};  ///< of a batch
};

struct GroupSpec {
  std::string name, description;
  std::vector<std::int64_t> members;

  [[nodiscard]] std::int64_t place_of(std::int64_t rank) const;
  [[nodiscard]] bool has(std::int64_t rank) const { return place_of(rank) >= 0; }
  [[nodiscard]] std::string ranks() const;
};

/// How the dump of a rank is taken.
struct DumpTaking {
  bool is_missing = false, only_open = false, has_status = true;
  std::size_t buffer = 100'000;  ///< calls that it keeps
  std::size_t unnoticed = 0;     ///< the last completions that it does not show
};

struct MadeRecord {
  std::int64_t id = 0;
  std::size_t group = 0;
  std::int64_t number = 0, p2p_number = 0;
  std::string operation, type, line;
  std::int64_t elements = 0;
  bool is_p2p = false, completed = false;
};

struct MadeStatus {
  std::int64_t called = 0, completed = 0;
};

class MadeJob {
 public:
  std::vector<GroupSpec> groups;
  std::vector<std::vector<Step>> programs;  ///< by rank
  std::vector<DumpTaking> takings;          ///< by rank
  bool is_async = false;                    ///< calls of unequal groups do not wait for each other on the device

  /// Runs until nothing moves.
  void run();
  /// Whether the rank has done everything, which a rank in the middle of a job never has.
  [[nodiscard]] bool is_through(std::size_t rank) const;
  [[nodiscard]] std::size_t ranks() const { return programs.size(); }
  /// What the dump of a rank shows.
  [[nodiscard]] std::vector<MadeRecord> records(std::size_t rank) const;
  [[nodiscard]] std::map<std::size_t, MadeStatus> statuses(std::size_t rank) const;

 private:
  struct IssuedCall {
    const Step* step = nullptr;
    std::int64_t number = 0, p2p_number = 0;
    std::vector<std::size_t> turns;  ///< of a collective: in its group; of sends and receives: by part
    bool started = false, completed = false;
    std::size_t finished = 0;  ///< counts the completions of the rank
  };
  struct RankState {
    std::size_t next = 0, first_open = 0, finished = 0;
    bool is_asleep = false;
    std::vector<IssuedCall> calls;
    std::map<std::size_t, std::int64_t> numbers, p2p_numbers;
    std::map<std::size_t, std::size_t> turns;
  };
  using End = std::tuple<std::size_t, std::int64_t, std::int64_t, bool>;  ///< group, sender, receiver, sends

  bool advance_host(std::size_t rank);
  bool advance_device(std::size_t rank);
  void issue(std::size_t rank, const Step& step);
  void start(std::size_t rank, IssuedCall& call);
  [[nodiscard]] bool is_done(std::size_t rank, const IssuedCall& call) const;
  [[nodiscard]] End end_of(std::size_t rank, const Step& step) const;

  std::vector<RankState> states_;
  std::map<std::pair<std::size_t, std::size_t>, std::map<std::int64_t, const Step*>> entered_;  ///< by place
  std::map<End, std::size_t> issued_, begun_;
};

}  // namespace assay::made
