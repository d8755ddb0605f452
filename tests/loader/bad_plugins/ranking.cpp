// Good analyzers that gather the ranks of a job, as one library: a copy called "quiet" makes nothing.
#include <dlfcn.h>

#include "assay/plugin.hpp"

namespace {

struct Ranking {
  static constexpr std::string_view kSummary = "Looks at ranks.";
  static constexpr assay::MetricSpec kProduces[] = {
      {"ranking.ranks", "1", assay::Polarity::kNeutral, "Ranks of the job."}};

  explicit Ranking(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink& sink) const {
    assay::Table rows("rows", "Rows");
    rows.add("row", "1", std::vector<std::int64_t>{1});
    sink.rank_rows(rows);
  }
  void gather(const assay::Job&, assay::JobSink& sink) const {
    Dl_info library{};
    dladdr(kProduces, &library);
    if (!std::string_view(library.dli_fname).ends_with("/quiet.so")) sink.fact(assay::kNone, "ranking.ranks", 2);
  }
};

}  // namespace

ASSAY_PLUGIN("ranking", "1.0.0", Ranking);
