// Writes every output of a run to the result folder, together.
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

/// Checks before the work whether outputs can be written to `out`: a new or empty folder, or one written by assay; any
/// folder with `force`. Leaves nothing behind. A name that ends in .html is one page: a new file, with `force` an
/// earlier page.
Status check_output_folder(const std::filesystem::path& out, bool force = false);
/// Like check_output_folder, for a command that replaces only earlier answers to these questions by the first analyzer
/// of each, not the result of any 'assay run'.
Status check_output_folder(const std::filesystem::path& out, bool force, const std::vector<Question>& questions);

/// Files of a result with their digests.
using NamedDigests = std::vector<std::pair<std::string, std::string>>;

/// Outputs that only some commands write.
struct MoreOutputs {
  std::function<std::string()> run_json = {};  ///< text of run.json, called last; null: none
  std::string summary = {};                    ///< text of summary.md; empty: summary_md
  cache::Store* memory = nullptr;              ///< finds outputs that already exist unchanged (OutputCache); null: none
  const Plugins* plugins = nullptr;            ///< all in memory; only with `memory`
  NamedDigests* digests = nullptr;             ///< receives the digests of all outputs; may be null
  const std::atomic<bool>* stop = nullptr;     ///< interrupts between two outputs; may be null
};

/// Writes facts.csv, findings.json, report.html, report.md with plots/*.svg, results.sqlite, texts below reports/ if an
/// analyzer makes them, and what `more` asks for, all together (files/result_folder.hpp): a failed run leaves the
/// earlier result intact, and files of two runs are never mixed. Removes files of an earlier run that this one does not
/// write; touches no other file, except that `force` replaces files with the same names. Returns the sorted names of
/// the outputs; leaves unchanged outputs in place. Of a name that ends in .html writes report.html alone, under it.
Result<std::vector<std::string>> write_outputs(const RunResult& run, const std::filesystem::path& out,
                                               bool force = false, const MoreOutputs& more = {});

}  // namespace assay
