#include "app/analysis.hpp"

#include <spdlog/spdlog.h>

#include "app/terminal.hpp"
#include "conclude/gather.hpp"
#include "render/format.hpp"

namespace assay {

RunCache::RunCache(const Plan& plan, const Plugins& plugins, const RunOptions& options)
    : most_bytes_(options.cache_bytes) {
  if (!options.cache) return;
  store_.emplace(*options.cache);
  cache_ = ResultCache::make(*store_, plan, plugins, options.trust_times);
  if (!cache_) spdlog::info("no result cache: the system does not tell which program runs");
}

/// A cache that cannot be written costs time and nothing else.
void RunCache::close() const {
  if (!store_) return;
  if (const auto problem = store_->problem()) {
    spdlog::warn("the result cache was not filled: {}; --cache names another folder, --no-cache does without",
                 *problem);
  }
  if (store_->wrote()) store_->trim(most_bytes_);
}

const isolate::Limits* isolation(const RunOptions& options) {
  return options.isolate ? &options.plugin_limits : nullptr;
}

std::vector<Analyzers> make_analyzers(const Plan& plan, const RunOptions& options) {
  std::vector<Analyzers> made;
  for (const PlannedQuestion& question : plan.questions) made.push_back(Analyzers::make(question, isolation(options)));
  return made;
}

void gather_all(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                const RunOptions& options, const std::atomic<bool>& stop, const ResultCache* cache,
                Analysis& analysis) {
  // Question by question: what they gather of a job may be large.
  for (std::size_t q = 0; q < plan.questions.size() && !analysis.interrupted; ++q) {
    gather({plan.questions[q], catalog, catalog.questions[q], analysis.questions[q]}, analyzers[q],
           {.jobs = options.jobs, .cache = cache, .isolated = isolation(options), .stop = &stop});
  }
}

Analysis analyze_with_progress(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                               const RunOptions& options, const ResultCache* cache, const std::atomic<bool>& stop,
                               const std::vector<char>* only) {
  ProgressBar bar(!options.quiet);
  Analysis analysis = analyze(plan, catalog, analyzers, stop,
                              {.jobs = options.jobs,
                               .progress = [&](std::size_t done, std::size_t all) { bar.show(done, all); },
                               .reader = options.reader,
                               .cache = cache,
                               .isolated = isolation(options),
                               .only = only});
  if (only == nullptr) gather_all(plan, catalog, analyzers, options, stop, cache, analysis);
  if (cache != nullptr) {
    spdlog::info("{} not read again: what they gave was in {}", counted(analysis.recalled, "report"),
                 cache->folder().string());
  }
  return analysis;
}

}  // namespace assay
