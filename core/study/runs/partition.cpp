#include "runs/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "runs/captures.hpp"
#include "runs/groups.hpp"

namespace assay {
namespace {

constexpr std::int64_t kSlack = 500'000'000;  // ns: ranks begin and end that far apart

/// A run as it is put together; without processes once it is a part of another.
struct PartedRun {
  Group processes;
  std::string why;     ///< its processes are one run
  bool apart = false;  ///< nothing tells of which of several jobs it is
};

class Partition {
 public:
  explicit Partition(const std::vector<RunFile>& files) : files_(files), processes_(processes_of(files)) {}

  std::vector<RunOfFiles> find() {
    Group all(processes_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const Group& tool : grouped(all, [&](std::size_t p) { return std::string(file(p).tool); })) {
      name_ranks(tool);
      join(tool);
    }
    return finished();
  }

 private:
  [[nodiscard]] const RunFile& file(std::size_t process) const { return files_[processes_[process].files.front()]; }
  [[nodiscard]] std::int64_t begin(std::size_t p) const { return file(p).facts.time.first; }
  [[nodiscard]] std::int64_t end(std::size_t p) const { return files_[processes_[p].files.back()].facts.time.last; }
  [[nodiscard]] bool timed(std::size_t p) const { return begin(p) != kNoTime && end(p) != kNoTime; }
  [[nodiscard]] std::int64_t rank(std::size_t p) const { return processes_[p].rank; }
  [[nodiscard]] std::int64_t world(std::size_t p) const { return file(p).world; }
  [[nodiscard]] const std::string& role(std::size_t p) const { return file(p).name.role; }

  /// Whether it is one of several processes that ran together, by what its file says.
  [[nodiscard]] bool is_rank(std::size_t p) const {
    return world(p) != 1 && (world(p) > 1 || file(p).rank >= 0 || file(p).facts.communicates || rank(p) >= 0);
  }

  [[nodiscard]] bool contradict(std::size_t a, std::size_t b) const {
    const std::string &job = file(a).facts.job, &other = file(b).facts.job;
    const bool same_role = role(a) == role(b);
    return (!job.empty() && !other.empty() && job != other) ||
           (same_role && world(a) > 0 && world(b) > 0 && world(a) != world(b));
  }

  [[nodiscard]] bool overlap(std::size_t a, std::size_t b, std::int64_t slack) const {
    return timed(a) && timed(b) && begin(a) <= end(b) + slack && begin(b) <= end(a) + slack;
  }

  /// Each (role, rank) once, and at most `world` of a role.
  [[nodiscard]] bool sound(const Group& group) const {
    std::set<std::pair<std::string, std::int64_t>> seen;
    std::map<std::string, std::int64_t> count;
    for (const std::size_t p : group) {
      if (rank(p) >= 0 && !seen.emplace(role(p), rank(p)).second) return false;
      if (++count[role(p)] > world(p) && world(p) > 0) return false;
    }
    return std::ranges::none_of(group, [&](std::size_t p) { return contradict(p, group.front()); });
  }

  [[nodiscard]] bool lacks_ranks(const Group& group) const {
    return world(group.front()) > 1 && static_cast<std::int64_t>(group.size()) < world(group.front()) &&
           std::ranges::all_of(group, [&](std::size_t p) { return rank(p) >= 0 && role(p) == role(group.front()); });
  }

  using Places = std::map<std::vector<std::int64_t>, Group>;

  /// Whether the positions form a complete grid from 0; those of "rank8" and "rank16", or "tp2" and "tp4", do not.
  static bool is_grid(const Places& places) {
    std::vector<std::set<std::int64_t>> values(places.begin()->first.size());
    std::size_t cells = 1;
    for (const auto& [place, of_place] : places) {
      if (place.size() != values.size()) return false;
      for (std::size_t d = 0; d < place.size(); ++d) values[d].insert(place[d]);
    }
    for (const std::set<std::int64_t>& of_dimension : values) {
      if (*of_dimension.begin() != 0 || *of_dimension.rbegin() + 1 != static_cast<std::int64_t>(of_dimension.size()))
        return false;
      cells *= of_dimension.size();
    }
    return cells == places.size() && cells > 1;
  }

  /// Where no file states its rank, the numbers of names if they form 0, 1, 2, ...: behind the word rank, else the
  /// order of the parallel dimensions.
  void name_ranks(const Group& processes) {
    const auto alike = [&](std::size_t p) { return std::tuple(file(p).folder, world(p), file(p).name.text); };
    for (const Group& group : grouped(processes, alike)) {
      const bool stated = std::ranges::any_of(group, [&](std::size_t p) { return rank(p) >= 0; });
      // A single letter counts repeats as often, unless a file states the size of its job or that it communicates.
      const bool unclear = std::ranges::any_of(
          group, [&](std::size_t p) { return file(p).name.one_letter && world(p) < 0 && !file(p).facts.communicates; });
      const bool named = std::ranges::all_of(group, [&](std::size_t p) { return file(p).name.rank.has_value(); });
      const bool placed = std::ranges::none_of(group, [&](std::size_t p) { return file(p).name.dimension.empty(); });
      if (stated || unclear || world(group.front()) == 1 || (!named && !placed)) continue;
      Places places;
      for (const std::size_t p : group)
        places[named ? std::vector<std::int64_t>{*file(p).name.rank} : file(p).name.dimension].push_back(p);
      if (!is_grid(places)) continue;
      std::int64_t next = 0;
      for (const auto& [place, of_place] : places) {
        for (const std::size_t p : of_place) processes_[p].rank = next;
        ++next;
      }
    }
  }

  /// (c): ranks run at one time.
  void join(const Group& processes) {
    Group ranks, others, untimed;
    for (const std::size_t p : processes) (!is_rank(p) ? others : timed(p) ? ranks : untimed).push_back(p);
    const auto together = [&](std::size_t a, std::size_t b) { return overlap(a, b, kSlack) && !contradict(a, b); };
    for (const Group& group : linked_groups(ranks, together)) split(group, 0, "ran at one time");
    // Without times those whose names have the same words.
    const auto words = [&](std::size_t p) { return std::tuple(world(p), file(p).facts.job, file(p).name.text); };
    for (const Group& group : grouped(untimed, words)) split(group, 0, "named alike");
    complete();
    join_folders(false);
    join_folders(true);
    join_roles();
    for (const std::size_t p : others) attach(p);
  }

  void add(Group group, const std::string& why, bool apart = false) { runs_.push_back({std::move(group), why, apart}); }

  /// (d): splits what several jobs are in, by the first property that leaves several ranks in each part.
  void split(const Group& group, std::size_t step, const std::string& why) {
    constexpr std::size_t kByNumber = 3, kByTime = 5;
    if (sound(group)) return add(group, why);
    Groups parts;
    if (step == 0) parts = grouped(group, [&](std::size_t p) { return file(p).facts.job; });
    if (step == 1) parts = grouped(group, [&](std::size_t p) { return file(p).name.text; });
    if (step == 2) parts = parted_by_name(group, [&](std::size_t p) { return file(p).name.but_rank(); });
    if (step == kByNumber) parts = by_number(group);
    if (step == kByNumber + 1) parts = parted_by_name(group, [&](std::size_t p) { return file(p).folder; });
    if (step == kByTime) parts = linked_groups(group, [&](std::size_t a, std::size_t b) { return overlap(a, b, 0); });
    if (step > kByTime) return by_order(group, why);
    const bool jobs = std::ranges::all_of(parts, [](const Group& part) { return part.size() > 1; });
    if (parts.size() < 2 || !jobs) return split(group, step + 1, why);
    for (const Group& part : parts) split(part, step + 1, step > 0 && step < kByTime ? "told apart by name" : why);
  }

  /// Parts by a text if each of them is a job: several ranks, each once.
  template <class Key>
  Groups parted_by_name(const Group& group, const Key& key) const {
    Groups parts = grouped(group, key);
    const bool jobs = std::ranges::all_of(parts, [&](const Group& part) { return part.size() > 1 && sound(part); });
    return jobs ? parts : Groups{};
  }

  /// By the number of the names that leaves each rank once in as few jobs as can be.
  [[nodiscard]] Groups by_number(const Group& group) const {
    Groups best;
    const std::size_t count = file(group.front()).name.numbers.size();
    for (std::size_t n = 0; n < count; ++n) {
      Groups parts = parted_by_name(group, [&](std::size_t p) {
        const std::vector<std::string>& numbers = file(p).name.numbers;
        return n < numbers.size() ? numbers[n] : std::string();
      });
      if (!parts.empty() && (best.empty() || parts.size() < best.size())) best = std::move(parts);
    }
    return best;
  }

  /// The n-th of each rank, by time and then name, form the n-th job; only of jobs one after the other.
  void by_order(Group group, const std::string& why) {
    const bool unknown = std::ranges::any_of(group, [&](std::size_t p) { return rank(p) < 0; });
    const bool at_once = std::ranges::all_of(group, [&](std::size_t p) { return timed(p); });
    if (unknown || at_once) {
      for (const std::size_t p : group) add({p}, at_once ? "" : why, at_once);
      return;
    }
    sort_by_time(group);
    std::map<std::pair<std::string, std::int64_t>, std::size_t> seen;
    std::map<std::size_t, Group> jobs;
    for (const std::size_t p : group) jobs[seen[{role(p), rank(p)}]++].push_back(p);
    for (auto& [number, job] : jobs) add(std::move(job), why);
  }

  void sort_by_time(Group& group) const {
    const auto order = [&](std::size_t p) {
      return std::tuple(timed(p) ? begin(p) : 0, file(p).name.time.size(), file(p).name.time,
                        processes_[p].files.front());
    };
    std::ranges::sort(group, {}, order);
  }

  [[nodiscard]] std::int64_t distance(const Group& a, const Group& b) const {
    if (!timed(a.front()) || !timed(b.front())) return INT64_MAX;
    return std::abs(begin(a.front()) - begin(b.front()));
  }

  /// One host has one clock: processes of it that did not run at one time are of two runs. Those of others may.
  [[nodiscard]] bool apart_in_time(std::size_t a, std::size_t b) const {
    const std::string& host = file(a).facts.host;
    return !host.empty() && host == file(b).facts.host && timed(a) && timed(b) && !overlap(a, b, kSlack);
  }

  /// Whether two runs that lack ranks may be halves of one.
  [[nodiscard]] bool may_complete(const Group& a, const Group& b) const {
    Group both = a;
    both.insert(both.end(), b.begin(), b.end());
    return !apart_in_time(a.front(), b.front()) && sound(both);
  }

  /// (e): runs that lack ranks complete one another. Pieces of the same ranks follow one another on each host, whatever
  /// its clock says; else the nearest come first.
  void complete() {
    std::map<std::tuple<std::string_view, std::int64_t, std::string, std::string>, std::vector<std::size_t>> alike;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const RunFile& first = file(runs_[r].processes.front());
      if (lacks_ranks(runs_[r].processes) && !runs_[r].apart)
        alike[{first.tool, first.world, first.facts.job, first.name.text}].push_back(r);
    }
    for (auto& [key, partial] : alike) {
      std::map<std::set<std::int64_t>, std::vector<std::size_t>> of_ranks;
      for (const std::size_t r : partial) {
        sort_by_time(runs_[r].processes);
        std::set<std::int64_t> ranks;
        for (const std::size_t p : runs_[r].processes) ranks.insert(rank(p));
        of_ranks[ranks].push_back(r);
      }
      std::size_t least = SIZE_MAX, most = 0;
      for (auto& [ranks, runs] : of_ranks) {
        std::ranges::sort(runs, {}, [&](std::size_t r) {
          return std::pair(timed(runs_[r].processes[0]) ? begin(runs_[r].processes[0]) : 0, r);
        });
        least = std::min(least, runs.size());
        most = std::max(most, runs.size());
      }
      if (least == most) {
        for (std::size_t n = 0; n < least; ++n) {
          const std::size_t first = of_ranks.begin()->second[n];
          for (auto at = std::next(of_ranks.begin()); at != of_ranks.end(); ++at) merge_if_sound(first, at->second[n]);
        }
      }
      if (of_ranks.size() > 1) merge_nearest(partial);
    }
    drop_empty();
  }

  void merge_if_sound(std::size_t into, std::size_t from) {
    if (!runs_[into].processes.empty() && !runs_[from].processes.empty() &&
        may_complete(runs_[into].processes, runs_[from].processes))
      merge(into, from);
  }

  void merge_nearest(const std::vector<std::size_t>& partial) {
    for (;;) {
      std::optional<std::tuple<std::int64_t, std::size_t, std::size_t>> best;
      for (const std::size_t a : partial) {
        for (const std::size_t b : partial) {
          if (a >= b || runs_[a].processes.empty() || runs_[b].processes.empty() ||
              !may_complete(runs_[a].processes, runs_[b].processes))
            continue;
          const std::tuple one(distance(runs_[a].processes, runs_[b].processes), a, b);
          if (!best || one < *best) best = one;
        }
      }
      if (!best) return;
      merge(std::get<1>(*best), std::get<2>(*best));
    }
  }

  void merge(std::size_t into, std::size_t from, const char* why = "completing one another") {
    runs_[into].processes.insert(runs_[into].processes.end(), runs_[from].processes.begin(),
                                 runs_[from].processes.end());
    runs_[from].processes.clear();
    runs_[into].why = why;
    runs_[into].apart = false;
  }

  void drop_empty() {
    std::erase_if(runs_, [](const PartedRun& run) { return run.processes.empty(); });
  }

  /// What is left of one folder, or of folders named after hosts in one, if it is exactly one job.
  void join_folders(bool above) {
    std::map<std::tuple<std::string_view, std::int64_t, std::string>, std::vector<std::size_t>> left;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const RunFile& first = file(runs_[r].processes.front());
      if (!lacks_ranks(runs_[r].processes) || (above && runs_[r].apart)) continue;
      left[{first.tool, first.world, above ? first.folder.substr(0, first.folder.rfind('/')) : first.folder}].push_back(
          r);
    }
    for (const auto& [key, runs] : left) {
      Group all;
      for (const std::size_t r : runs) all.insert(all.end(), runs_[r].processes.begin(), runs_[r].processes.end());
      const bool parted = std::ranges::any_of(all, [&](std::size_t p) { return apart_in_time(p, all.front()); });
      if (static_cast<std::int64_t>(all.size()) != std::get<1>(key) || !sound(all) || parted) continue;
      for (const std::size_t r : runs) {
        if (r != runs.front()) merge(runs.front(), r);
      }
    }
    drop_empty();
  }

  [[nodiscard]] bool at_one_time(const Group& a, const Group& b) const {
    return std::ranges::any_of(
        a, [&](std::size_t p) { return std::ranges::any_of(b, [&](std::size_t q) { return overlap(p, q, kSlack); }); });
  }

  [[nodiscard]] std::string named_run(const Group& run) const { return file(run.front()).name.but_rank(); }

  /// Other roles at the same time, or of the same name, are parts of one run.
  void join_roles() {
    for (std::size_t a = 0; a < runs_.size(); ++a) {
      for (std::size_t b = a + 1; b < runs_.size(); ++b) {
        if (runs_[a].processes.empty() || runs_[b].processes.empty() ||
            file(runs_[a].processes[0]).tool != file(runs_[b].processes[0]).tool)
          continue;
        const std::string &one = role(runs_[a].processes.front()), &other = role(runs_[b].processes.front());
        if (one == other || one.empty() || other.empty()) continue;
        if (!at_one_time(runs_[a].processes, runs_[b].processes) &&
            named_run(runs_[a].processes) != named_run(runs_[b].processes))
          continue;
        Group both = runs_[a].processes;
        both.insert(both.end(), runs_[b].processes.begin(), runs_[b].processes.end());
        if (sound(both)) merge(a, b, "roles of one run");
      }
    }
    drop_empty();
  }

  /// A process that says nothing of others: a front end or another role joins the one run at its time.
  void attach(std::size_t p) {
    const bool front = file(p).host_only || !role(p).empty();
    std::vector<std::size_t> fitting;
    for (std::size_t r = 0; front && r < runs_.size(); ++r) {
      const RunFile& first = file(runs_[r].processes.front());
      Group both = runs_[r].processes;
      both.push_back(p);
      const bool other_role = file(p).host_only || (!first.name.role.empty() && first.name.role != role(p));
      const bool near = at_one_time(runs_[r].processes, {p}) ||
                        named_run(runs_[r].processes) == file(p).name.but_rank() ||
                        (file(p).host_only && !timed(p) && first.folder == file(p).folder);
      if (first.tool == file(p).tool && other_role && near && sound(both)) fitting.push_back(r);
    }
    const bool untimed_front = file(p).host_only && !timed(p) && !fitting.empty();
    if (fitting.size() != 1 && !untimed_front) return add({p}, "");
    runs_[fitting.front()].processes.push_back(p);
    if (runs_[fitting.front()].why.empty()) runs_[fitting.front()].why = "roles of one run";
  }

  std::vector<RunOfFiles> finished() {
    std::vector<RunOfFiles> out;
    for (PartedRun& parted : runs_) {
      RunOfFiles& run = out.emplace_back();
      std::ranges::sort(parted.processes, {},
                        [&](std::size_t p) { return std::tuple(role(p), rank(p), processes_[p].files.front()); });
      for (const std::size_t p : parted.processes) run.processes.push_back(processes_[p]);
      if (run.processes.size() > 1)
        run.evidence = parted.why;
      else if (run.processes.front().files.size() > 1)
        run.evidence = files_[run.processes.front().files.front()].recorded.empty() ? "captures of one process"
                                                                                    : "windows of a recorded run";
      else if (parted.apart)
        run.evidence = "ranks of several jobs at one time: nothing says of which this is";
    }
    std::ranges::sort(out, {}, [](const RunOfFiles& run) {
      std::size_t first = SIZE_MAX;
      for (const RunProcess& process : run.processes) first = std::min(first, std::ranges::min(process.files));
      return first;
    });
    return out;
  }

  const std::vector<RunFile>& files_;
  std::vector<RunProcess> processes_;
  std::vector<PartedRun> runs_;
};

}  // namespace

std::vector<RunOfFiles> partition_runs(const std::vector<RunFile>& files) { return Partition(files).find(); }

}  // namespace assay
