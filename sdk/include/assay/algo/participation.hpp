// Who takes part in a comparison: whose labels are believed, which reports are one run, which runs are equal. The host
// fills StudyReportTable from here, so that every analyzer and judge reads the same answers.
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

/// Metric whose facts say whether labels are to be believed; the analyzer that declares it concludes before all others
/// that it does not read from itself. Dims: label, verdict.
inline constexpr std::string_view kBeliefMetric = "label.verdict";

/// Metric whose facts name labels that another run of the same labels contradicts while nothing says which of the two
/// is what it says. Dims: label.
inline constexpr std::string_view kConflictMetric = "label.conflict";

/// Attributes of a report that is one process of a distributed job: its number, and how many there are.
inline constexpr std::string_view kRankAttribute = "rank";
inline constexpr std::string_view kWorldSizeAttribute = "world_size";

/// Attribute of a report that the host recognised as a rank: the job's name, equal for its ranks.
inline constexpr std::string_view kJobAttribute = "job";

/// Why the labels of a report are not to be believed: a fact of kBeliefMetric says that one of them, whichever, is
/// contradicted or not borne out by the trace, or one of kConflictMetric that it may be either. Empty when there is no
/// such fact; `unverifiable` is none, nor is the verdict on a label that only describes, since no comparison rests on
/// it.
std::string doubt_from_facts(const StudyView& view, std::size_t report);

/// Place of a report in a job: as the report itself says, else as its label does. Nothing without either, or when it is
/// alone in its job.
struct JobRank {
  std::string rank, world;
};

std::optional<JobRank> job_rank_of(const StudyView& view, std::size_t report);

/// What stands before the rank in a file's name, where the name says it: "run3" of "run3_rank12.sqlite" or
/// "run3-rank-12.json"; empty where it does not.
std::string before_rank(std::string_view path, std::string_view rank);

/// Number of the job that each report belongs to: equal for the ranks of one job, which are one run; else its own. Jobs
/// are numbered by their first report. Ranks are of one job if the host says so. Of other reports that agree in all but
/// their rank those in one folder belong together; where every folder has one rank only, folders do. Several of one
/// rank are several jobs: the n-th of each rank, by path, make the n-th job.
std::vector<std::uint32_t> job_numbers(const StudyView& view);

/// Whether the question declares any label; those that reports state themselves are not declared.
bool declares_labels(const StudyView& view);

/// One run of a group: a report, or the reports of a job.
using RunReports = std::vector<std::size_t>;

/// The runs that given reports are: those of one job together, in the order of their first report. To list them: what
/// is compared or pooled are Runs (alike.hpp).
std::vector<RunReports> as_runs(const StudyView& view, std::span<const std::size_t> reports);

/// Value of a metric in one run: of a job the median of its ranks. Nothing when no report of it has the fact.
std::optional<double> value_of(const StudyView& view, const RunReports& run, std::string_view metric,
                               std::string_view dims = {});

/// Groups of at least two runs of one program, by their first report: equal text attribute "fingerprint" and nothing
/// declared that tells them apart. Runs with another value of a label that does not only describe are another variant,
/// whatever their traces look like. A report of the question without any label is nobody's replicate, since nothing
/// says what it is; one of the [noise] whose name is another question's joins the runs of its fingerprint, unless those
/// are several variants. A job counts once, by the fingerprint of its first rank. Runs that are not believed are left
/// out.
std::vector<std::vector<RunReports>> equal_runs(const StudyView& view);

}  // namespace assay
