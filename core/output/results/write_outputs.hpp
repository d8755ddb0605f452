// The folder of a result: every output of a run, written together.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cache/store.hpp"
#include "plugins/plugins.hpp"
#include "render/render.hpp"

namespace assay {

/// Whether outputs can be written to `out`, asked before the work is done: a new folder, an empty one, or one that
/// assay wrote; with `force` any. Leaves nothing behind.
Status check_output_folder(const std::filesystem::path& out, bool force = false);

/// Files of a result and what digest each has.
using NamedDigests = std::vector<std::pair<std::string, std::string>>;

/// What not every command writes.
struct MoreOutputs {
  std::function<std::string()> run_json =
      {};                                   ///< text of run.json, asked last, when the others are written; null: none
  cache::Store* memory = nullptr;           ///< tells which outputs stand there already (kept_outputs.hpp); null: none
  const Plugins* plugins = nullptr;         ///< all in memory; with `memory` only
  NamedDigests* digests = nullptr;          ///< gets those of all outputs; null: nobody asks
  const std::atomic<bool>* stop = nullptr;  ///< interrupts between two outputs; null: nothing does
};

/// Writes facts.csv, findings.json, report.html, report.md with plots/*.svg, results.sqlite, texts below reports/
/// where an analyzer makes them, and what `more` asks for, all together (files/result_folder.hpp): a failed run leaves
/// what was there whole, and nobody sees files of two runs side by side. Files that an earlier run wrote and this one
/// does not are removed; no other file is touched, except that `force` replaces files of the same names. Returns the
/// names of the outputs, sorted; those that stand there already as they would come out are left as they are.
Result<std::vector<std::string>> write_outputs(const RunResult& run, const std::filesystem::path& out,
                                               bool force = false, const MoreOutputs& more = {});

}  // namespace assay
