#include "app/shard.hpp"

#include <algorithm>
#include <iostream>

#include "analyze/result_cache.hpp"
#include "app/analysis.hpp"
#include "app/finish.hpp"
#include "app/log.hpp"
#include "app/recorded.hpp"
#include "assay/abi.hpp"
#include "files/digest.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "shards/catalog_bytes.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<JournalLines> journals_of(const std::vector<Recording>& recordings) {
  std::vector<JournalLines> journals;
  for (const Recording& recording : recordings) {
    JournalLines& lines = journals.emplace_back();
    for (const record::Json& event : recording.events.list)
      lines.push_back(event.dump(-1, ' ', false, record::Json::error_handler_t::replace));
  }
  return journals;
}

std::string study_of(const ReadyRun& run) {
  FoundStudy study{run.catalog, {}};
  for (std::size_t q = 0; q < run.plan.questions.size(); ++q)
    study.sheets.push_back(read_sheets(*run.plan.questions[q].question, run.catalog, run.catalog.questions[q]));
  return to_bytes(study);
}

/// Results of the files whose flag is set.
std::vector<PartResult> results_of(const Catalog& catalog, Analysis& analysis, const std::vector<char>& own) {
  std::vector<PartResult> results;
  for (std::size_t q = 0; q < catalog.questions.size(); ++q) {
    const std::vector<CatalogEntry>& entries = catalog.questions[q].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (own[entries[e].file] != 0) results.push_back({q, e, std::move(analysis.questions[q][e])});
    }
  }
  return results;
}

}  // namespace

Result<PartIdentity> identity_of(const Plan& plan, const Plugins& plugins, const std::vector<fs::path>& configs) {
  const auto host = code_of_host(plugins);
  if (!host) return Error{"the system does not tell which program runs (/proc), so no part can be told from another's"};
  PartIdentity identity{std::string(kCxxAbi) + " " + files::hex(*host), {}, {}, {}};
  std::vector<fs::path> files = configs;
  for (const PlannedQuestion& planned : plan.questions) {
    identity.questions.push_back(planned.question->id);
    if (configs.size() > 1 || planned.question->file != configs.front()) files.push_back(planned.question->file);
    for (const PlannedAnalyzer& analyzer : planned.analyzers) {
      const Descriptor& declared = analyzer.plugin->descriptor();
      if ((declared.stages & (kStageAnalyze | kStageGather)) == 0) continue;
      const auto code = code_of(*analyzer.plugin);
      if (!code) return Error{"the library of '" + std::string(analyzer.plugin->id()) + "' changed while it was read"};
      identity.analyzers.push_back({planned.question->id, std::string(analyzer.plugin->id()),
                                    std::string(declared.version.view()), files::hex(*code),
                                    files::hex(files::digest_of(to_bytes(analyzer.options)))});
    }
  }
  for (const fs::path& file : files) {
    const auto digest = files::hex_of_file(file);
    if (!digest) return Error{"'" + file.string() + "' cannot be read again; leave it in place during a run"};
    identity.configurations.push_back(*digest);
  }
  return identity;
}

Exit run_shard(const ReadyRun& run, const RunOptions& options, const std::atomic<bool>& stop) {
  const ShardNumber shard = *options.shard;
  auto identity = identity_of(run.plan, run.plugins, options.configs);
  if (!identity) return fail(identity.error());
  std::vector<char> own;
  for (const std::uint64_t of_file : cut(run.plan, run.catalog, shard.of))
    own.push_back(of_file == shard.number ? 1 : 0);

  const RunCache cache(run.plan, run.plugins, options);
  Analysis analysis = analyze_with_progress(run.plan, run.catalog, run.analyzers, options, cache.get(), stop, &own);
  cache.close();
  if (analysis.interrupted || stop) return interrupted(options);
  std::error_code unknown;
  Part part{shard, *std::move(identity), {}, fs::current_path(unknown).string(), study_of(run), false, {}, {}};
  for (const fs::path& config : options.configs) part.configs.push_back(config.string());
  part.recorded = !recordings_in(options.reports).empty();
  part.journals = journals_of(read_recordings(run.folders));
  part.results = results_of(run.catalog, analysis, own);
  const fs::path file = options.out / part_name(shard);
  if (const Status written = write_part(part, file); !written) return fail(written.error());
  if (!options.quiet) {
    std::cout << "Shard " << shard.str() << ": "
              << counted(static_cast<std::size_t>(std::count(own.begin(), own.end(), 1)), "file") << " of "
              << run.catalog.files.size() << " to " << one_line(file.string()) << "; 'assay merge "
              << one_line(options.out.string()) << " -o OUT' concludes when all shards are there\n";
  }
  return Exit::kOk;
}

}  // namespace assay
