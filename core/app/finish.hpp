// From what the reports gave to a written and printed result: the end of `assay run` and of `assay merge`.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "app/command_line.hpp"
#include "app/recorded.hpp"
#include "app/run.hpp"
#include "render/render.hpp"
#include "sheets/sheets.hpp"

namespace assay {

struct Analyzed {
  const Plan& plan;
  const Catalog& catalog;
  const std::vector<Analyzers>& analyzers;
  Analysis analysis;
  const ResultCache* cache = nullptr;  ///< what is remembered; null: nothing
};

/// What is read beside the reports, when it is wanted.
struct Beside {
  std::function<Sheets(std::size_t)> sheets;  ///< of a question; from several threads
  std::function<std::vector<Recording>()> recordings;
  /// What is to be said before everything else of a question; null: nothing.
  std::function<std::vector<OwnedFinding>(std::size_t)> first = {};
};

/// Concludes, writes to options.out, prints; the exit code. `run_json`: the text of run.json, asked last.
Exit finish(Analyzed analyzed, const Beside& beside, const RunOptions& options,
            const std::function<std::string()>& run_json, const std::atomic<bool>& stop);

/// Options of how a run ends, and -v, -q, --log-file. `instead`: the option with which nothing is concluded; null:
/// none.
void add_ending(CLI::App& command, CommandLine& line, RunOptions& to, CLI::Option* instead = nullptr);
/// What the command line says of every run.
void take_words(const CommandLine& line, RunOptions& to);

/// "interrupted; nothing was written", told.
Exit interrupted(const RunOptions& options);

}  // namespace assay
