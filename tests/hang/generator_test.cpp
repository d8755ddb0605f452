#include <iomanip>
#include <iostream>

#include "kinds.hpp"
#include "rule.hpp"
#include "support/test.hpp"
#include "words.hpp"

namespace assay::generator_test {

hang::Dump dump_of(const made::MadeJob& job, std::size_t rank) {
  hang::Dump dump;
  dump.rank = static_cast<std::int64_t>(rank);
  dump.version = "2.10";
  std::vector<std::int64_t> local(job.groups.size(), kNone);
  const auto statuses = job.statuses(rank);
  for (std::size_t g = 0; g < job.groups.size(); ++g) {
    const made::GroupSpec& group = job.groups[g];
    if (!group.has(dump.rank)) continue;
    local[g] = static_cast<std::int64_t>(dump.groups.size());
    const auto status = statuses.find(g);
    dump.groups.push_back({group.name, group.description, group.ranks(), group.members});
    if (status == statuses.end()) continue;
    dump.groups.back().status_called = status->second.called;
    dump.groups.back().status_completed = status->second.completed;
  }
  const std::vector<made::MadeRecord> made = job.records(rank);
  std::vector<hang::Record> records;
  for (const made::MadeRecord& one : made)
    records.push_back({one.id, local[one.group], one.number, one.p2p_number, one.operation, one.type, one.line,
                       one.line, one.elements, one.completed});
  hang::summarize(std::move(records), dump);
  return dump;
}

hang::Job job_of(const made::MadeJob& job) {
  std::vector<hang::Dump> dumps;
  for (std::size_t rank = 0; rank < job.ranks(); ++rank) {
    if (!job.takings[rank].is_missing) dumps.push_back(dump_of(job, rank));
  }
  return hang::job_of(std::move(dumps));
}

struct Tally {
  std::size_t jobs = 0, hanging = 0, wrong = 0, guilty = 0, named = 0, unnamed_though_shown = 0;
};

/// Runs a case, counts, and prints what is wrong.
void judge(const std::string& kind, std::size_t ranks, unsigned seed, Tally& tally) {
  const made::Case made = made::made_case(kind, ranks, seed);
  const hang::Job job = job_of(made.job);
  const hang::Verdict verdict = hang::verdict_on(job);
  bool hangs = false, ended = false;
  for (const auto& [rank, member] : job.ranks) {
    hangs = hangs || !member.head.empty();
    ended = ended || made.job.is_through(static_cast<std::size_t>(rank));
  }
  // A job whose calls fit until some ranks are through would not hang while it runs.
  if (hangs && ended && kind != "call that most have not" && kind != "device stuck in a completed call") return;
  ++tally.jobs;
  tally.hanging += hangs ? 1U : 0U;
  std::set<std::int64_t> named;
  for (const hang::Culprit& culprit : verdict.culprits) named.insert(culprit.rank);
  const bool tie_has_guilty = std::ranges::any_of(verdict.culprits, [&](const hang::Culprit& culprit) {
    return culprit.is_tie && made.guilty.contains(culprit.rank);
  });
  for (const hang::Culprit& culprit : verdict.culprits) {
    const std::int64_t rank = culprit.rank;
    const bool is_right = hangs && (made.guilty.contains(rank) || (culprit.is_tie && tie_has_guilty));
    tally.wrong += is_right ? 0U : 1U;
    EXPECT_TRUE(is_right) << kind << " " << ranks << " " << seed << (made.job.is_async ? " async" : "") << ": rank "
                          << rank << ": " << hang::first_line(job, verdict) << "; guilty "
                          << ::testing::PrintToString(made.guilty);
  }
  if (!hangs) return;
  for (const std::int64_t rank : made.guilty) {
    const bool is_named = named.contains(rank);
    ++tally.guilty;
    tally.named += is_named ? 1U : 0U;
    tally.unnamed_though_shown += made.shows && !is_named ? 1U : 0U;
    EXPECT_TRUE(is_named || !made.shows) << kind << " " << ranks << " " << seed << ": rank " << rank
                                         << " is not named: " << hang::first_line(job, verdict);
  }
}

TEST(Generator, NobodyInnocentIsNamedAndEveryGuiltyRankThatShows) {
  std::cout << std::left << std::setw(36) << "kind" << " jobs  hang  wrong  guilty  named\n";
  for (const std::string& kind : made::kinds()) {
    Tally tally;
    for (const std::size_t ranks : std::vector<std::size_t>{2, 4, 8, 16, 24, 64}) {
      for (unsigned seed = 0; seed < (ranks < 64 ? 24U : 4U); ++seed) judge(kind, ranks, seed, tally);
    }
    judge(kind, 512, 1, tally);
    std::cout << std::setw(36) << kind << std::right << std::setw(5) << tally.jobs << std::setw(6) << tally.hanging
              << std::setw(7) << tally.wrong << std::setw(8) << tally.guilty << std::setw(7) << tally.named << std::left
              << "\n";
  }
}

}  // namespace assay::generator_test
