#include "shards/make_part.hpp"

#include <algorithm>

#include "analyze/result_cache.hpp"
#include "assay/abi.hpp"
#include "files/digest.hpp"
#include "recordings/recorded.hpp"
#include "shards/catalog_bytes.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<JournalLines> journals_of(const std::vector<Recording>& recordings) {
  std::vector<JournalLines> journals;
  for (const Recording& recording : recordings) {
    JournalLines& lines = journals.emplace_back();
    for (const record::Event& event : recording.events.list) lines.push_back(record::line_of(event));
    // The number of damaged lines belongs to the recording; their contents do not.
    lines.resize(lines.size() + recording.events.damaged.size());
  }
  return journals;
}

std::string study_of(const Pipeline& line) {
  FoundStudy study{line.catalog(), {}};
  for (std::size_t q = 0; q < line.questions().size(); ++q)
    study.sheets.push_back(read_sheets(line.questions()[q], line.catalog(), line.catalog().questions[q]));
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
  if (!host)
    return Error{
        "the system does not say which program is running (/proc), so parts cannot be told from those of another"};
  PartIdentity identity{std::string(kCxxAbi) + " " + files::hex(*host), {}, {}, {}};
  std::vector<fs::path> files = configs;
  for (const PlannedQuestion& planned : plan.questions) {
    identity.questions.push_back(planned.question->id);
    if (configs.size() > 1 || planned.question->file != configs.front()) files.push_back(planned.question->file);
    for (const PlannedAnalyzer& analyzer : planned.analyzers) {
      const Descriptor& declared = analyzer.plugin->descriptor();
      if ((declared.stages & (kStageAnalyze | kStageGather)) == 0) continue;
      const auto code = code_of(*analyzer.plugin);
      if (!code)
        return Error{"the library of '" + std::string(analyzer.plugin->id()) + "' changed while it was read"}.at(
            std::string(analyzer.plugin->id()));
      identity.analyzers.push_back({planned.question->id, std::string(analyzer.plugin->id()),
                                    std::string(declared.version.view()), files::hex(*code),
                                    files::hex(files::digest_of(to_bytes(analyzer.options)))});
    }
  }
  for (const fs::path& file : files) {
    const auto digest = files::hex_of_file(file);
    if (!digest)
      return Error{"'" + file.string() + "' cannot be read again"}
          .at(file.string())
          .advise("leave it in place during a run");
    identity.configurations.push_back(*digest);
  }
  return identity;
}

Result<ShardPart> make_part(Pipeline& line, ShardNumber shard, const std::vector<fs::path>& configs,
                            const std::vector<fs::path>& reports, const std::vector<fs::path>& folders) {
  const Catalog& catalog = line.catalog();
  auto identity = identity_of(line.plan(), line.plugins(), configs);
  if (!identity) return identity.error();
  std::vector<char> own;
  for (const std::uint64_t of_file : cut(line.plan(), catalog, shard.of))
    own.push_back(of_file == shard.number ? 1 : 0);
  if (const Status analyzed = line.analyze({.only = &own}); !analyzed) return analyzed.error();
  line.close_cache();
  std::error_code unknown;
  ShardPart part{shard, *std::move(identity), {}, fs::current_path(unknown).string(), study_of(line), false, {}, {}};
  for (const fs::path& config : configs) part.configs.push_back(config.string());
  part.recorded = !recordings_in(reports).empty();
  part.journals = journals_of(read_recordings(folders));
  part.results = results_of(catalog, line.analysis(), own);
  return part;
}

}  // namespace assay
