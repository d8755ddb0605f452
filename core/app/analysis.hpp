// From a plan and a catalog to what each report gave, with the result cache and a bar of progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/result_cache.hpp"
#include "app/run.hpp"
#include "cache/store.hpp"
#include "catalog/catalog.hpp"
#include "conclude/conclude.hpp"

namespace assay {

/// Null when analyzers run in this process.
const isolate::Limits* isolation(const RunOptions& options);

std::vector<Analyzers> make_analyzers(const Plan& plan, const RunOptions& options);

/// What is remembered between runs, as the options say.
class RunCache {
 public:
  RunCache(const Plan& plan, const Plugins& plugins, const RunOptions& options);
  RunCache(const RunCache&) = delete;
  RunCache& operator=(const RunCache&) = delete;

  /// Null: nothing is remembered.
  [[nodiscard]] const ResultCache* get() const { return cache_ ? &*cache_ : nullptr; }

  /// When nothing more is kept: says what could not be, and makes room.
  void close() const;

 private:
  std::uint64_t most_bytes_;
  std::optional<cache::Store> store_;
  std::optional<ResultCache> cache_;
};

/// Analyzes and gathers. `only`: flags of Catalog::files, of a shard, which leaves gathering to the merge; null: all.
Analysis analyze_with_progress(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                               const RunOptions& options, const ResultCache* cache, const std::atomic<bool>& stop,
                               const std::vector<char>* only = nullptr);

/// What `gather` of each question's analyzers makes of its jobs.
void gather_all(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                const RunOptions& options, const std::atomic<bool>& stop, const ResultCache* cache, Analysis& analysis);

}  // namespace assay
