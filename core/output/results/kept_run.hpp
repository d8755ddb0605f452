// A run that comes to what the last one came to is not made again.
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

/// What is remembered of the last run of one command: what its reports held, and its outputs with their digests.
class LastRunCache {
 public:
  /// What one run came to.
  struct StoredRun {
    std::string contents;            ///< Pipeline::contents
    NamedDigests files;              ///< all outputs
    std::vector<std::string> shown;  ///< what was printed
  };

  /// `line` after `discover`; `command`: all else that decides what the run comes to and how it is told. Remembers
  /// nothing where the system does not tell which code runs.
  LastRunCache(std::filesystem::path folder, const Pipeline& line, const std::vector<std::string>& command);

  /// The last run, if its reports held what they hold now and `out` holds all that it wrote, each with the bytes of
  /// then: this one would write the same. Else nothing.
  [[nodiscard]] std::optional<StoredRun> same(const Pipeline& line, const std::filesystem::path& out) const;

  /// Remembers a run, within `most_bytes` of cache. Not one of which something failed, for that may go well the next
  /// time.
  void keep(const Pipeline& line, const RunResult& run, NamedDigests files, std::vector<std::string> shown,
            std::uint64_t most_bytes);

 private:
  cache::Store store_;
  std::string key_;  ///< empty: nothing is remembered
};

}  // namespace assay
