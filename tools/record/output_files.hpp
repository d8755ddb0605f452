// The files that are generated from the journal of a recording while it is made.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "record/recording.hpp"

namespace assay::record {

/// Generates results.json, experiment_summary.json and conditions.csv from the journal. Error (exit 3).
Status write_outputs(const std::filesystem::path& folder, const Events& events, const std::string& name);

/// Runner fields of a run: gpu_id, numa_node, vit_config, ... as declared by the question's labels.
Json fields_of(const Question& question, const NamedRun& run);

class OutputFiles {
 public:
  OutputFiles(std::filesystem::path folder, const Journal& journal, std::string name)
      : folder_(std::move(folder)), journal_(&journal), name_(std::move(name)) {}

  Status write() {
    const Clock::time_point begun = Clock::now();
    Status written = write_outputs(folder_, journal_->events(), name_);
    written_ = Clock::now();
    duration_ = written_ - begun;
    return written;
  }

  /// The files are generated from the whole journal, so writing them after every run would take time quadratic in the
  /// runs. They may lag behind, such that writing takes at most a twentieth of the time.
  Status write_when_due() {
    constexpr int kShare = 20;
    return Clock::now() - written_ < kShare * duration_ ? ok() : write();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path folder_;
  const Journal* journal_;
  std::string name_;
  Clock::time_point written_{};
  Clock::duration duration_{};  ///< of the last write
};

}  // namespace assay::record
