// The duration of the longest kernel of each report. Change it from here: share/doc/assay/sdk/README.md explains every
// member.
#include "assay/sdk.hpp"

class @CLASS @{public : static constexpr std::string_view kSummary = "Shows how long the longest kernel takes.";
static constexpr assay::ColumnId kNeeds[] = {assay::col::kernels};
static constexpr assay::MetricSpec kProduces[] = {{"@NAME@.longest_ns", "ns", assay::Polarity::kLowerIsBetter,
                                                   "Duration of the longest kernel of the window.", "longest kernel"}};

explicit @CLASS @(const assay::Options&) {}

void analyze(const assay::Report& report, assay::ReportSink& sink) const {  // called for each report, on any thread
  const assay::KernelTable& kernels = *report.kernels;
  std::int64_t longest = 0;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.membership[k] == assay::Membership::kInside)
      longest = std::max(longest, kernels.end[k] - kernels.start[k]);
  }
  sink.fact("@NAME@.longest_ns", static_cast<double>(longest));
}

void conclude(const assay::Study& study, assay::StudySink& sink) const {  // called once, with the facts of all
                                                                          // reports
  const assay::StudyView view(study);
  double longest = 0;
  for (const std::size_t report : view.participants())
    longest = std::max(longest, view.value(report, "@NAME@.longest_ns").value_or(0));
  assay::Finding finding;
  finding.role = assay::FindingRole::kAnswer;
  finding.title = "The longest kernel takes " + assay::time_text(longest);
  finding.text = finding.title + " (" + assay::counted(view.participants().size(), "report") + ").";
  sink.finding(finding);
}
}
;

ASSAY_PLUGIN("@NAME@", "0.1.0", @CLASS @);
