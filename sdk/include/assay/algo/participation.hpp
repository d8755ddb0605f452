// Participation in comparisons: whose labels are believed, which reports are one run, which runs are equal. The host
// fills StudyReportTable with these functions, so that every analyzer and judge uses the same answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"
#include "assay/study.hpp"

namespace assay {

/// Metric whose facts decide whether labels are believed; its analyzer concludes before all others except those it
/// reads from. Dims: label, verdict.
inline constexpr std::string_view kBeliefMetric = "label.verdict";

/// Metric whose facts name labels that a run with the same labels contradicts; either of the two may be wrong. Dims:
/// label.
inline constexpr std::string_view kConflictMetric = "label.conflict";

/// Metrics of the effects that claims about ratios are judged on, as facts of the study: the effect, the ends of its
/// interval if it has one, and the level of that. Dims: metric and its dims, the label under
/// test ("graph / eager") and those held fixed; without the latter: the mean over pairs. Their analyzer concludes
/// before those that read them, but for those it reads from.
inline constexpr std::string_view kClaimedRatio = "claim.ratio", kClaimedLow = "claim.ratio_low",
                                  kClaimedHigh = "claim.ratio_high", kClaimedLevel = "claim.level";

/// Attributes of a report that is one process of a distributed job: its rank, and the number of ranks.
inline constexpr std::string_view kRankAttribute = "rank";
inline constexpr std::string_view kWorldSizeAttribute = "world_size";

/// Attribute of a report that the host recognized as a rank: the name of the job, equal for its ranks.
inline constexpr std::string_view kJobAttribute = "job";

/// Attribute of a report that is one of several captures of a process: its number, from 1.
inline constexpr std::string_view kCaptureAttribute = "capture";

/// Why the labels of a report are not believed, as a clause: by a fact of kBeliefMetric one of them is contradicted or
/// not confirmed by the trace, or by a fact of kConflictMetric it may be wrong. Empty without such facts;
/// `unverifiable` does not count, nor do verdicts on descriptive labels, which no comparison uses.
std::string doubt_from_facts(const StudyView& view, std::size_t report);

/// Position of a report in a job, as texts.
struct JobRank {
  std::string rank, world;  ///< world: number of ranks; may be empty
};

/// Rank as stated in the report, else by its label. Empty without either, or if the report is alone in its job.
std::optional<JobRank> job_rank_of(const StudyView& view, std::size_t report);

/// Part of a file name in front of the rank: "run3" of "run3_rank12.sqlite" or "run3-rank-12.json"; empty if the name
/// has no rank, or another one than `rank`.
std::string before_rank(std::string_view path, std::string_view rank);

/// Job number per report, the row of the job's first report: equal for the ranks of one job, which are one run. The
/// host's grouping takes precedence. Other reports that agree in all but their rank form a job within one folder; if
/// every folder has only one rank, across folders. If a rank occurs several times, the n-th of each rank, by path, form
/// the n-th job.
std::vector<std::uint32_t> job_numbers(const StudyView& view);

/// Whether the question declares any label; device, clock and driver do not count.
bool declares_labels(const StudyView& view);

/// Reports of one run: a single one, or the ranks of a job.
using RunReports = std::vector<std::size_t>;

/// Groups the given reports into runs, ordered by first report. For listing only: comparisons and pooling use Runs
/// (alike.hpp).
std::vector<RunReports> as_runs(const StudyView& view, std::span<const std::size_t> reports);

/// What one report of a run says of a metric; `samples` may be empty.
struct PartOfRun {
  std::size_t report;
  double value;
  std::span<const double> samples{};
};

/// What a run says of it.
struct JoinedParts {
  double value;
  std::vector<double> samples;
};

/// Joins the parts of one run, at least one. The captures of a process are its samples: their mean, or the median of
/// all samples if each value is the median of its own. A job is the median of its processes, and of their samples one
/// by one (iteration by iteration) if all have equally many; else it has none.
JoinedParts joined_parts(const StudyView& view, std::span<const PartOfRun> parts);

/// Value of a metric in one run, in its unit (joined_parts). Empty if no report of it has the fact.
std::optional<double> value_of(const StudyView& view, const RunReports& run, std::string_view metric,
                               std::string_view dims = {});

/// Groups of at least two runs of one program, by first report: equal text attribute "fingerprint" and no declared
/// difference. Runs that differ in a non-descriptive label are other variants, whatever their traces look like. A
/// report of the question without labels repeats no run, since it is unknown what it is; a report of [noise] whose name
/// belongs to another question joins the runs with its fingerprint, unless those are several variants. A job counts
/// once, by the fingerprint of its first rank. Runs that are not believed are left out.
std::vector<std::vector<RunReports>> equal_runs(const StudyView& view);

}  // namespace assay
