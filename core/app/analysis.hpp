// From a plan and a catalog to what each report gave, with the result cache and a bar of progress.
#pragma once

#include <atomic>
#include <vector>

#include "app/run.hpp"
#include "catalog/catalog.hpp"
#include "conclude/conclude.hpp"

namespace assay {

/// Null when analyzers run in this process.
const isolate::Limits* isolation(const RunOptions& options);

std::vector<Analyzers> make_analyzers(const Plan& plan, const RunOptions& options);

/// Analyzes and gathers. `only`: flags of Catalog::files, of a shard, which leaves gathering to the merge; null: all.
Analysis analyze_with_progress(const Plan& plan, const Plugins& plugins, const Catalog& catalog,
                               const std::vector<Analyzers>& analyzers, const RunOptions& options,
                               const std::atomic<bool>& stop, const std::vector<char>* only = nullptr);

/// What `gather` of each question's analyzers makes of its jobs.
void gather_all(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                const RunOptions& options, const std::atomic<bool>& stop, const ResultCache* cache, Analysis& analysis);

}  // namespace assay
