#include "matching.hpp"

#include <algorithm>
#include <map>

#include "assay/words.hpp"

namespace assay::ranks {
namespace {

/// Collectives of one group on one rank, in order.
using Members = std::vector<std::vector<std::uint32_t>>;

std::vector<Group> groups_of(const JobRows& job, std::vector<Members>& rows) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankRows& rank = job.ranks[r];
    std::vector<std::size_t> place;  // by the rank's own groups
    for (std::size_t g = 0; g < rank.groups.size(); ++g) {
      const auto [at, fresh] = places.emplace(std::string(rank.groups[g].view()), groups.size());
      if (fresh) {
        groups.emplace_back().name = std::string(rank.groups[g].view());
        rows.emplace_back();
      }
      Group& group = groups[at->second];
      group.members.push_back(r);
      group.size = std::max(group.size, rank.group_sizes[g]);
      rows[at->second].emplace_back();
      place.push_back(at->second);
    }
    for (std::size_t c = 0; c < rank.collectives(); ++c)
      rows[place[static_cast<std::size_t>(rank.group[c])]].back().push_back(static_cast<std::uint32_t>(c));
  }
  const bool all_there = job.world > 0 && static_cast<std::size_t>(job.world) == job.ranks.size();
  for (Group& group : groups) {
    if (group.size > 0) continue;
    if (group.name.empty())
      group.size = job.world;
    else if (all_there)
      group.size = static_cast<std::int64_t>(group.members.size());
  }
  return groups;
}

/// Step numbers that all ranks have, with their rows.
void find_common_steps(const JobRows& job, Matches& out) {
  std::map<std::int64_t, std::size_t> ranks_with;
  for (const RankRows& rank : job.ranks) {
    for (const std::int64_t number : rank.step) ++ranks_with[number];
  }
  std::map<std::int64_t, std::uint32_t> place;
  for (const auto& [number, count] : ranks_with) {
    if (count < job.ranks.size()) {
      out.dropped_steps.push_back(number);
    } else {
      place.emplace(number, static_cast<std::uint32_t>(out.steps.size()));
      out.steps.push_back(number);
    }
  }
  for (const RankRows& rank : job.ranks) {
    std::vector<std::uint32_t>& rows = out.step_rows.emplace_back(out.steps.size());
    for (std::size_t s = 0; s < rank.step.size(); ++s) {
      if (const auto at = place.find(rank.step[s]); at != place.end()) rows[at->second] = static_cast<std::uint32_t>(s);
    }
  }
}

/// Whether rows of two ranks can be the same collective: sizes may differ if each rank has its own.
bool alike(const RankRows& a, std::uint32_t ca, const RankRows& b, std::uint32_t cb) {
  if (a.kind[ca] != b.kind[cb]) return false;
  const auto kind = static_cast<CollectiveKind>(a.kind[ca]);
  if (kind != CollectiveKind::kAllReduce && kind != CollectiveKind::kAllGather &&
      kind != CollectiveKind::kReduceScatter)
    return true;
  return a.sent[ca] == b.sent[cb] && a.received[ca] == b.received[cb];
}

class GroupMatching {
 public:
  GroupMatching(const JobRows& job, std::uint32_t number, const Members& rows, Matches& out)
      : job_(job), number_(number), group_(out.groups[number]), rows_(rows), out_(out) {}

  void run() {
    const std::size_t before = out_.all.size();
    std::string refusal = refusal_of(before);
    if (!refusal.empty() && leave_out_messages()) refusal = refusal_of(before);
    if (!refusal.empty()) out_.refused.push_back(refusal);
    std::size_t rows = 0;
    for (const auto& own : rows_) rows += own.size();
    out_.unmatched += static_cast<std::int64_t>(rows - (out_.all.size() - before) * group_.members.size());
  }

 private:
  [[nodiscard]] const RankRows& rank(std::size_t member) const { return job_.ranks[group_.members[member]]; }

  /// Matches all, or nothing and returns why.
  std::string refusal_of(std::size_t before) {
    std::string refusal = has_sequences() ? by_sequence() : by_place();
    if (!refusal.empty()) {
      if (out_.all.size() > before) out_.rows.resize(out_.all[before].first);
      out_.all.resize(before);
    }
    return refusal;
  }

  /// Kernels that send and receive are an all-to-all if all ranks have them; else they are messages of two ranks each.
  bool leave_out_messages() {
    std::size_t left_out = 0;
    for (std::size_t m = 0; m < rows_.size(); ++m) {
      left_out += std::erase_if(rows_[m], [&](std::uint32_t c) {
        return rank(m).kind[c] == static_cast<std::int64_t>(CollectiveKind::kSendReceive);
      });
    }
    return left_out > 0;
  }

  [[nodiscard]] bool has_sequences() const {
    for (std::size_t m = 0; m < rows_.size(); ++m) {
      if (std::ranges::any_of(rows_[m], [&](std::uint32_t c) { return rank(m).sequence[c] < 0; })) return false;
    }
    return true;
  }

  [[nodiscard]] std::string differs(std::size_t member, std::int64_t step, std::string_view how) const {
    return filled(
        "rank {} and rank {} {} in step {} of the group '{}': the ranks ran different programs, or rows were lost; "
        "nothing is matched in it",
        {std::to_string(rank(member).number), std::to_string(rank(0).number), std::string(how), std::to_string(step),
         group_.name.empty() ? "of all ranks" : group_.name});
  }

  void add(std::uint32_t step, const std::vector<std::uint32_t>& rows) {
    out_.all.push_back({number_, step, out_.rows.size()});
    out_.rows.insert(out_.rows.end(), rows.begin(), rows.end());
  }

  /// Sequence numbers that all members have; linear after sorting each.
  std::string by_sequence() {
    std::vector<std::vector<std::uint32_t>> sorted = rows_;
    for (std::size_t m = 0; m < sorted.size(); ++m) {
      std::ranges::stable_sort(
          sorted[m], [&](std::uint32_t a, std::uint32_t b) { return rank(m).sequence[a] < rank(m).sequence[b]; });
    }
    const std::vector<std::uint32_t> steps = steps_of_first();
    std::vector<std::size_t> next(sorted.size(), 0);
    std::vector<std::uint32_t> row(sorted.size());
    for (const std::uint32_t first : sorted[0]) {
      const std::int64_t number = rank(0).sequence[first];
      row[0] = first;
      bool all = steps[static_cast<std::size_t>(rank(0).of_step[first])] != kNoStep;
      for (std::size_t m = 1; m < sorted.size(); ++m) {
        std::size_t& at = next[m];
        while (at < sorted[m].size() && rank(m).sequence[sorted[m][at]] < number) ++at;
        if (at == sorted[m].size() || rank(m).sequence[sorted[m][at]] != number) {
          all = false;
          continue;
        }
        row[m] = sorted[m][at++];
        if (!alike(rank(0), first, rank(m), row[m]))
          return differs(m, rank(0).step[static_cast<std::size_t>(rank(0).of_step[first])],
                         "have different collectives of the number " + std::to_string(number));
      }
      if (all) add(steps[static_cast<std::size_t>(rank(0).of_step[first])], row);
    }
    return {};
  }

  static constexpr std::uint32_t kNoStep = 0xFFFFFFFFU;

  /// For each step of the first member: its index among the common steps.
  [[nodiscard]] std::vector<std::uint32_t> steps_of_first() const {
    std::vector<std::uint32_t> out(rank(0).step.size(), kNoStep);
    const std::vector<std::uint32_t>& rows = out_.step_rows[group_.members[0]];
    for (std::size_t s = 0; s < rows.size(); ++s) out[rows[s]] = static_cast<std::uint32_t>(s);
    return out;
  }

  struct Slice {
    std::size_t first = 0, count = 0;
  };

  /// The members' rows of each common step.
  [[nodiscard]] std::vector<std::vector<Slice>> slices() const {
    std::vector<std::vector<Slice>> out(rows_.size());
    for (std::size_t m = 0; m < rows_.size(); ++m) {
      std::vector<Slice> of_row(rank(m).step.size());
      for (std::size_t i = 0; i < rows_[m].size(); ++i) {
        Slice& slice = of_row[static_cast<std::size_t>(rank(m).of_step[rows_[m][i]])];
        if (slice.count++ == 0) slice.first = i;
      }
      for (const std::uint32_t row : out_.step_rows[group_.members[m]]) out[m].push_back(of_row[row]);
    }
    return out;
  }

  /// Matches steps by number, and collectives within a step by position.
  std::string by_place() {
    const std::vector<std::vector<Slice>> all = slices();
    std::vector<std::uint32_t> row(rows_.size());
    for (std::size_t s = 0; s < out_.steps.size(); ++s) {
      std::size_t least = all[0][s].count, most = least;
      for (const auto& own : all) {
        least = std::min(least, own[s].count);
        most = std::max(most, own[s].count);
      }
      const bool from_the_end = s == 0 && s + 1 < out_.steps.size();
      for (std::size_t m = 0; m < rows_.size() && least != most; ++m) {
        const bool ragged = s == 0 || s + 1 == out_.steps.size();
        if (!ragged && all[m][s].count != all[0][s].count)
          return differs(
              m, out_.steps[s],
              filled("have {} and {} collectives", {std::to_string(all[m][s].count), std::to_string(all[0][s].count)}));
      }
      for (std::size_t i = 0; i < least; ++i) {
        for (std::size_t m = 0; m < rows_.size(); ++m) {
          const Slice& slice = all[m][s];
          row[m] = rows_[m][slice.first + (from_the_end ? slice.count - least : 0) + i];
          if (!alike(rank(0), row[0], rank(m), row[m])) return differs(m, out_.steps[s], "have different collectives");
        }
        add(static_cast<std::uint32_t>(s), row);
      }
    }
    return {};
  }

  const JobRows& job_;
  std::uint32_t number_;
  const Group& group_;
  Members rows_;
  Matches& out_;
};

}  // namespace

Matches match(const JobRows& job) {
  Matches out;
  std::vector<Members> rows;
  out.groups = groups_of(job, rows);
  find_common_steps(job, out);
  for (std::size_t g = 0; g < out.groups.size(); ++g) {
    if (out.groups[g].members.size() > 1)
      GroupMatching(job, static_cast<std::uint32_t>(g), rows[g], out).run();
    else
      out.unmatched += static_cast<std::int64_t>(rows[g].front().size());
  }
  return out;
}

}  // namespace assay::ranks
