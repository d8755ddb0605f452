// The bundled sweep and profiles as a study: numbers of the sweep CSVs, and of SQL over the four reports.
#pragma once

#include <string>
#include <vector>

#include "assay/testing/study_builder.hpp"

namespace assay::testing {

inline const std::vector<std::string> kSweepColumns = {"batch_size", "model", "tp", "latency_ms", "flops"};

inline void declare_labels(StudyBuilder& study) {
  study.label("reduction", {"baseline", "with_tr"}, kChangesKernels);
  study.label("batch", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
}

inline void add_sweeps(StudyBuilder& study) {
  study.sheet("sweep", "token/sweep_224.csv", kSweepColumns,
              {{"1", "baseline", "307.92", "3.2476", "35.126"},
               {"1", "with_tr", "254.12", "3.9352", "15.549"},
               {"2", "baseline", "512.9", "3.8994", "35.126"},
               {"2", "with_tr", "443.58", "4.5088", "15.549"},
               {"4", "baseline", "688.05", "5.8135", "35.126"},
               {"4", "with_tr", "1049.32", "3.812", "15.549"},
               {"8", "baseline", "870.22", "9.193", "35.126"},
               {"8", "with_tr", "1529.16", "5.2316", "15.549"},
               {"16", "baseline", "962.29", "16.627", "35.126"},
               {"16", "with_tr", "1906.14", "8.3939", "15.549"}},
              {{"px", "224"}});
  study.sheet("sweep", "token/sweep_448.csv", kSweepColumns,
              {{"1", "baseline", "147.78", "6.7668", "156.989"},
               {"1", "with_tr", "238.21", "4.198", "67.429"},
               {"2", "baseline", "190.84", "10.4799", "156.989"},
               {"2", "with_tr", "345.79", "5.7838", "67.429"},
               {"4", "baseline", "214.8", "18.6219", "156.989"},
               {"4", "with_tr", "435.96", "9.1752", "67.429"},
               {"8", "baseline", "235.81", "33.9249", "156.989"},
               {"8", "with_tr", "496.29", "16.1194", "67.429"},
               {"16", "baseline", "255.73", "62.5663", "156.989"},
               {"16", "with_tr", "559.49", "28.5975", "67.429"}},
              {{"px", "448"}});
}

/// What a profile says per forward.
struct Profile {
  std::string reduction, batch, px;
  double kernels, busy, period, launch_bound;
};

inline StudyBuilder::ReportEntry& add_profile(StudyBuilder& study, const Profile& p) {
  return study
      .report("token/" + p.reduction + "_bs" + p.batch + "_is" + p.px,
              {{"reduction", p.reduction}, {"batch", p.batch}, {"px", p.px}})
      .attribute("fingerprint", p.reduction + p.batch + p.px)
      .fact("iteration.kernel_count", p.kernels)
      .fact("iteration.gpu_busy_ns", p.busy)
      .fact("iteration.period_ns", p.period)
      .fact("launch.bound_ratio", p.launch_bound)
      .fact("graph.opaque_ratio", 0);
}

/// The four bundled reports, with a few of their kernels.
inline void add_profiles(StudyBuilder& study) {
  add_profile(study, {"baseline", "1", "224", 150, 3048721.5, 3680641, 0.1054})
      .fact("token.kernel_time_ns", 1125233.9, "class=other;kernel=sgemm_largek_lds64")
      .fact("token.kernel_count", 12, "class=other;kernel=sgemm_largek_lds64")
      .fact("token.kernel_time_ns", 3168, "class=memory;kernel=CatArrayBatchedCopy")
      .fact("token.kernel_count", 1, "class=memory;kernel=CatArrayBatchedCopy")
      .fact("token.memory_time_ns", 1568, "kind=copy");
  add_profile(study, {"with_tr", "1", "224", 192, 2129041, 4658754, 0.608})
      .fact("token.kernel_time_ns", 821288.15, "class=other;kernel=sgemm_largek_lds64")
      .fact("token.kernel_count", 21, "class=other;kernel=sgemm_largek_lds64")
      .fact("token.kernel_time_ns", 26872, "class=dynamic;kernel=radixSortKVInPlace")
      .fact("token.kernel_count", 4, "class=dynamic;kernel=radixSortKVInPlace")
      .fact("token.kernel_time_ns", 18612.8, "class=dynamic;kernel=gatherTopK")
      .fact("token.kernel_count", 3, "class=dynamic;kernel=gatherTopK")
      .fact("token.kernel_time_ns", 3156.8, "class=memory;kernel=CatArrayBatchedCopy")
      .fact("token.kernel_count", 1, "class=memory;kernel=CatArrayBatchedCopy")
      .fact("token.memory_time_ns", 8662.4, "kind=copy");
  add_profile(study, {"baseline", "8", "448", 126, 33757839, 33986735, 0});
  add_profile(study, {"with_tr", "8", "448", 150, 15928887, 16180135, 0});
}

}  // namespace assay::testing
