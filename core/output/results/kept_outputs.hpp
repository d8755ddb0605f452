// Outputs that stand in the folder of a result already and would come out the same are not made again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache/store.hpp"
#include "pipeline/run_result.hpp"
#include "plugins/plugins.hpp"

namespace assay {

/// What is remembered of the outputs of one run: their names and digests, under everything that they are made from and
/// the code that makes them. run.json is none of them: it says when the run was.
class KeptOutputs {
 public:
  /// `memory` may be null: nothing is remembered; nor is it where the system does not tell which code runs. `loaded`
  /// are all plugins in memory. `variant`: what else decides which outputs there are.
  KeptOutputs(cache::Store* memory, const Plugins& loaded, const RunResult& run, std::string_view variant);

  /// If an equal run was written and `folder` still holds all of its outputs, each with the bytes of then: links to
  /// them in `to`, and their names. Else nothing, and nothing in `to`.
  [[nodiscard]] std::optional<std::vector<std::string>> link(const std::filesystem::path& folder,
                                                             const std::filesystem::path& to) const;

  /// Remembers the outputs of this run, which stand in `folder`.
  void keep(const std::filesystem::path& folder, const std::vector<std::string>& names) const;

 private:
  cache::Store* memory_;
  std::string key_;  ///< empty: nothing is remembered
};

}  // namespace assay
