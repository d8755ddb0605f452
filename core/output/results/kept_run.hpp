// Skips a run whose outputs would equal those of the last run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache/store.hpp"
#include "pipeline/pipeline.hpp"
#include "results/write_outputs.hpp"

namespace assay {

/// What is known of the last run of one command: content of its reports, and its outputs with their digests.
class LastRunCache {
 public:
  /// Outputs of one run.
  struct StoredRun {
    std::string contents;            ///< Pipeline::contents
    NamedDigests files;              ///< all outputs
    std::vector<std::string> shown;  ///< what was printed
  };

  /// `line` after `discover`; `command`: everything else that determines the outputs and how they are printed. Has no
  /// effect if the system cannot identify the running code.
  LastRunCache(std::filesystem::path folder, const Pipeline& line, const std::vector<std::string>& command);

  /// The last run, if its reports are unchanged and `out` still holds all of its outputs unchanged, so that this run
  /// would write the same. Otherwise empty.
  [[nodiscard]] std::optional<StoredRun> same(const Pipeline& line, const std::filesystem::path& out) const;

  /// Stores a run, within `most_bytes` of cache; not one with a failure that may not occur next time.
  void keep(const Pipeline& line, const RunResult& run, NamedDigests files, std::vector<std::string> shown,
            std::uint64_t most_bytes);

 private:
  cache::Store store_;
  std::string key_;  ///< empty: nothing is stored
};

}  // namespace assay
