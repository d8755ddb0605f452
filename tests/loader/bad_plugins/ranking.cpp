// Hands rows of each rank to `gather`, which does what RANKING_GATHER says; makes nothing by itself.
#include <csignal>

#include "assay/plugin.hpp"

namespace {

struct Ranking {
  static constexpr std::string_view kSummary = "Looks at ranks.";
  static constexpr assay::MetricSpec kProduces[] = {
      {RANKING_ID ".ranks", "1", assay::Polarity::kNeutral, "Ranks of the job."}};

  explicit Ranking(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink& sink) const {
    assay::Table rows("rows", "Rows");
    rows.add("row", "1", std::vector<std::int64_t>{1});
    sink.rank_rows(rows);
  }
  void gather(const assay::Job&, [[maybe_unused]] assay::JobSink& sink) const { RANKING_GATHER; }
};

}  // namespace

ASSAY_PLUGIN(RANKING_ID, "1.0.0", Ranking);
