// Loads a report with everything that a trace shows of it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "timeline/chrome_trace.hpp"

namespace assay {

/// Loads reports, and computes their idle time with the analyzer `idle_causes`.
class TimelineLoader {
 public:
  /// Error: the analyzer is missing or rejects its options.
  static Result<std::unique_ptr<TimelineLoader>> make(const std::string& window, const IterationSpec& iterations,
                                                      const std::vector<std::filesystem::path>& plugin_paths);

  using Use = std::function<void(const Report&, const DerivedTracks&)>;
  /// Calls `use` with the report, which is destroyed afterwards. Adds remarks to `remarks`. Error: it could not be
  /// read.
  Status show(const ProfileFiles& files, const Use& use, std::vector<std::string>& remarks) const;

 private:
  explicit TimelineLoader(std::unique_ptr<Pipeline> line) : line_(std::move(line)) {}

  std::unique_ptr<Pipeline> line_;
};

}  // namespace assay
