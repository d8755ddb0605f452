#include "shards/shard_option.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "assay/words.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "render/text.hpp"
#include "shards/make_part.hpp"

namespace assay {
namespace {

/// Writes OUT/shard-K-of-N.part and nothing else there.
Exit run_shard(const RunOptions& options, const ShardNumber& shard, const std::atomic<bool>& stop) {
  Result<ReadyRun> ready = ready_run(options, stop);
  if (!ready) return fail(ready.error());
  const Result<ShardPart> part = make_part(*ready->line, shard, options.configs, options.reports, ready->folders);
  if (!part) return fail(part.error(), options);
  const std::filesystem::path file = options.out / part_name(part->shard);
  if (const Status written = write_part(*part, file); !written) return fail(written.error());
  if (document::wanted()) {
    std::cout << "{\"part\": " << nlohmann::json(file.string()).dump(-1, ' ', true) << "}\n";
  } else if (!options.quiet) {
    const Catalog& catalog = ready->line->catalog();
    const auto whose = cut(ready->line->plan(), catalog, part->shard.of);
    std::cout << "Shard " << part->shard.str() << ": "
              << counted(static_cast<std::size_t>(std::ranges::count(whose, part->shard.number)), "file") << " of "
              << catalog.files.size() << " to " << one_line(file.string()) << "; 'assay merge "
              << one_line(options.out.string()) << " -o OUT' combines all shards when they are done\n";
  }
  return Exit::kOk;
}

}  // namespace

void add_shard(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> concluding) {
  CLI::Option* shard =
      add_option_function<std::string>(
          run, "--shard",
          [&to](const std::string& text) {
            to.instead = [number = *shard_number(text)](const RunOptions& options, const std::atomic<bool>& stop) {
              return run_shard(options, number, stop);
            };
          },
          "Analyze only the K-th of N parts of the profiles and write only OUT/shard-K-of-N.part; 'assay merge' "
          "combines the parts")
          ->type_name("K/N")
          ->check([](const std::string& text) {
            return shard_number(text) ? ""
                                      : "'" + text + "' is not a shard; expected K/N with K from 1 to N, as in 2/4";
          });
  for (CLI::Option* option : concluding) option->excludes(shard);
}

}  // namespace assay
