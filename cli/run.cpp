#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "assay/words.hpp"
#include "cli/commands.hpp"
#include "cli/conversion.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/run_options.hpp"
#include "render/text.hpp"
#include "shards/make_part.hpp"

namespace assay {
namespace {

/// --shard
CLI::Option* add_shard(CLI::App& command, std::optional<ShardNumber>& to) {
  return command
      .add_option_function<std::string>(
          "--shard", [&to](const std::string& text) { to = shard_number(text); },
          "Analyze only the K-th of N parts of the profiles and write only OUT/shard-K-of-N.part; 'assay merge' "
          "combines the parts")
      ->type_name("K/N")
      ->check([](const std::string& text) {
        return shard_number(text) ? "" : "'" + text + "' is not a shard; expected K/N with K from 1 to N, as in 2/4";
      });
}

/// Writes OUT/shard-K-of-N.part and nothing else there.
Exit run_shard(const RunOptions& options, const std::atomic<bool>& stop) {
  Result<ReadyRun> ready = ready_run(options, stop);
  if (!ready) return fail(ready.error());
  const Result<Part> part = make_part(*ready->line, *options.shard, options.configs, options.reports, ready->folders);
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

Exit run(const RunOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  return options.shard ? run_shard(options, stop) : run_and_tell(options, stop);
}

}  // namespace

void add_run(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Writes report.html, report.md and summary.md with plots, facts.csv, findings.json, results.sqlite and run.json to
OUT and prints the answer.

Examples:
  assay run configs/rq1_architecture.toml --reports ~/profiles
  assay run configs/study.toml --reports ~/profiles -o ~/results -j 8
  assay run configs/rq3_compilation.toml --reports run1 --reports run2 --gate)";
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      line.add("run", "Analyze profiles and answer the configured questions", kFooter, options, [&line](RunOptions& o) {
        take_words(line, o);
        return run(o);
      });
  command.add_option("config", options->configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(command, "--reports", options->reports,
              "Folder of profiles, searched recursively; may be repeated (default: the current folder, if it holds the "
              "folders that the questions name in [reports])");
  command.add_option("-o,--out", options->out, "Folder for the results")->type_name("OUT")->capture_default_str();
  add_jobs(command, options->jobs, "Profiles read in parallel");
  add_reader(command, options->reader);
  add_cache(command, *options);
  CLI::Option* convert = command.add_flag(
      "--convert", options->convert, "First convert profiles without an up-to-date export, as 'assay convert' does");
  add_conversion(command, options->conversion, convert);
  add_isolation(command, *options);
  CLI::Option* shard = add_shard(command, options->shard);
  document::add_flag(command);
  add_ending(command, line, *options, shard);
}

}  // namespace assay
