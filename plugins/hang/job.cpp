#include <algorithm>
#include <set>

#include "assay/words.hpp"
#include "rule.hpp"

namespace assay::hang {
namespace {

constexpr std::int64_t kDay = std::int64_t{86'400} * 1'000'000'000;

std::string number_text(std::int64_t number) { return std::to_string(number); }

/// Why dumps are not of one job; empty if nothing says so.
std::string refusal_of(const std::vector<Dump>& dumps) {
  if (!dumps.empty() && std::ranges::all_of(dumps, [](const Dump& dump) { return dump.rank < 0; }))
    return filled("{} do not say whose they are; name them nccl_trace_rank_N", {counted(dumps.size(), "dump")});
  std::set<std::int64_t> ranks;
  std::map<std::string, std::string> members;  // of the groups "0", which are the whole job
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
  for (const Dump& dump : dumps) {
    if (dump.rank >= 0 && !ranks.insert(dump.rank).second)
      return filled("these are dumps of two jobs, since rank {} has two; give the dumps of one job",
                    {number_text(dump.rank)});
    for (const GroupState& group : dump.groups) {
      if (group.name != "0") continue;
      const auto& known = members.try_emplace(group.name, group.ranks).first->second;
      if (known != group.ranks)
        return filled("these are dumps of two jobs, of {} and {} ranks; give the dumps of one job",
                      {number_text(static_cast<std::int64_t>(members_of(known).size())),
                       number_text(static_cast<std::int64_t>(group.members.size()))});
    }
    if (dump.last_call == 0) continue;
    first = std::min(first, dump.last_call);
    last = std::max(last, dump.last_call);
  }
  return last - first > kDay && last > 0
             ? "these are dumps of two jobs: the last calls are more than a day apart; give the dumps of one job"
             : "";
}

/// "1, 2, 3 and 5 more"
std::string some_ranks(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t kMax = 6;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMax, ranks.size()); ++i) texts.push_back(number_text(ranks[i]));
  if (ranks.size() > kMax) texts.push_back(std::to_string(ranks.size() - kMax) + " more");
  return listed(texts);
}

void add_remarks(Job& job) {
  std::set<std::string> versions;
  std::vector<std::int64_t> damaged, cut, missing, unnamed;
  for (const Dump& dump : job.dumps) {
    versions.insert(dump.version);
    if (dump.is_damaged) damaged.push_back(dump.rank);
    if (!dump.is_complete && !dump.has_only_open && !dump.is_damaged) cut.push_back(dump.rank);
    if (dump.rank < 0) unnamed.push_back(dump.rank);
  }
  for (const auto& [rank, member] : job.ranks) {
    const bool is_damaged = std::ranges::find(damaged, rank) != damaged.end();
    if (member.dump == nullptr && !is_damaged) missing.push_back(rank);
  }
  const auto add = [&](const std::vector<std::int64_t>& ranks, std::string_view sentence) {
    if (ranks.empty()) return;
    const std::string who = (ranks.size() == 1 ? "rank " : "ranks ") + some_ranks(ranks);
    job.remarks.push_back(filled(sentence, {who}));
  };
  add(missing, "No dump of {}.");
  add(damaged, "The dump of {} is cut off, damaged or not of versions 2.3 to 2.10, so it counts as missing.");
  add(cut,
      "The buffer of {} was too small for all calls: earlier sends and receives are not compared "
      "(TORCH_FR_BUFFER_SIZE).");
  if (!unnamed.empty())
    job.remarks.push_back(counted(unnamed.size(), "dump") +
                          " do not say their rank and are left out; name them "
                          "nccl_trace_rank_N.");
  if (versions.size() > 1)
    job.remarks.push_back("The dumps have unequal versions (" +
                          listed(std::vector<std::string>(versions.begin(), versions.end())) +
                          "): these ranks ran different builds of PyTorch.");
}

class Merge {
 public:
  explicit Merge(Job& job) : job_(job) {}

  void add(Dump& dump) {
    std::vector<std::size_t> of_job;
    for (const GroupState& group : dump.groups) of_job.push_back(number_of(group));
    for (Call& call : dump.open) {
      call.group = of_job[call.group];
      call.rank = dump.rank;
    }
    for (Pair& pair : dump.pairs) pair.group = of_job[pair.group];
    if (dump.rank < 0) return;
    Member& member = job_.ranks[dump.rank];
    member.is_damaged = dump.is_damaged;
    if (dump.is_damaged) return;
    member.dump = &dump;
    for (std::size_t g = 0; g < of_job.size(); ++g) {
      Group& group = job_.groups[of_job[g]];
      group.has_p2p = group.has_p2p || dump.groups[g].has_p2p;
      if (dump.groups[g].has_p2p_batches) batches_.insert(of_job[g]);
      if (!dump.is_complete) uncounted_.insert(of_job[g]);
    }
    for (const Call& call : dump.open) member.open[call.group].push_back(&call);
    for (const Call& call : dump.open) {
      const Call& first = dump.open.front();
      const bool same = call.group == first.group && call.number == first.number && call.p2p_number == first.p2p_number;
      if (&call == &first || (first.is_batch && same)) member.head.push_back(&call);
    }
    of_job_[dump.rank] = std::move(of_job);
  }

  /// Once all dumps are there: the states of groups count where no send or receive was called.
  void finish() {
    for (const std::size_t g : batches_) job_.groups[g].is_counted = !uncounted_.contains(g);
    for (auto& [rank, of_job] : of_job_) {
      Member& member = job_.ranks[rank];
      for (std::size_t g = 0; g < of_job.size(); ++g) {
        const GroupState& state = member.dump->groups[g];
        const bool has_status = !job_.groups[of_job[g]].has_p2p;
        member.groups[of_job[g]] = {.called = has_status ? std::max(state.called, state.status_called) : state.called,
                                    .completed = state.completed,
                                    .status_completed = has_status ? state.status_completed : 0,
                                    .collectives = state.collectives};
      }
    }
  }

 private:
  std::size_t number_of(const GroupState& group) {
    const std::string key = filled("{}\n{}\n{}", {group.name, group.description, group.ranks});
    const auto [at, is_new] = numbers_.try_emplace(key, job_.groups.size());
    if (is_new) {
      job_.groups.push_back({group.name, group.description, group.members});
      for (const std::int64_t rank : group.members) job_.ranks[rank];
    }
    return at->second;
  }

  Job& job_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::int64_t, std::vector<std::size_t>> of_job_;
  std::set<std::size_t> batches_, uncounted_;
};

}  // namespace

Job job_of(std::vector<Dump> dumps) {
  Job job;
  job.dumps = std::move(dumps);
  job.refusal = refusal_of(job.dumps);
  if (!job.refusal.empty()) return job;
  Merge merge(job);
  for (Dump& dump : job.dumps) merge.add(dump);
  merge.finish();
  add_remarks(job);
  return job;
}

}  // namespace assay::hang
