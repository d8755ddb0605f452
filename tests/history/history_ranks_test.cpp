// Points of a history: the ranks of a job are one run.
#include "history/remembered.hpp"
#include "support/test.hpp"

namespace assay {
namespace history_ranks_test {

StoredReport report(const std::string& name, const std::string& job, double value) {
  StoredReport one;
  one.name = name;
  one.loaded = true;
  if (!job.empty()) one.attributes.push_back({"job", job});
  one.facts.push_back({"step.time_ns", "", value, {}});
  return one;
}

double point(std::vector<StoredReport> reports) {
  StoredQuestion question;
  question.id = "q";
  question.reports = std::move(reports);
  const ResultPoints points = points_of({&question, 1});
  return points.values.size() == 1 ? points.values.begin()->second : -1;
}

TEST(HistoryRanks, AreOneRunPerJob) {
  EXPECT_EQ(point({report("a", "", 1), report("b", "", 2), report("c", "", 6)}), 2) << "three runs";
  // A job of four ranks beside two single runs: their middle is 5, that of all six reports 8.5.
  EXPECT_EQ(point({report("a0", "a0", 8), report("a1", "a0", 9), report("a2", "a0", 9), report("a3", "a0", 10),
                   report("b", "", 5), report("c", "", 4)}),
            5);
}

}  // namespace history_ranks_test
}  // namespace assay
