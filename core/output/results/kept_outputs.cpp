#include "results/kept_outputs.hpp"

#include <map>
#include <system_error>
#include <utility>

#include "analyze/result_cache.hpp"
#include "analyze/stored_output.hpp"
#include "cache/both_ways.hpp"
#include "files/digest.hpp"
#include "results/key_bytes.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using cache::ByteWriter;

void put_concluded(ByteWriter& to, const QuestionResult& result) {
  const auto& [metrics, study_facts, findings, claims, tables, plots, text_files, skips, completeness, notes,
               recalled] = result;
  static_cast<void>(notes), static_cast<void>(recalled);  // for the log
  put_all(to, metrics, study_facts, findings, claims, tables, plots, text_files, skips, completeness);
}

/// Everything that outputs are made from, and who makes them. Reports are taken one by one: those of a campaign are
/// many. Empty where some code is not known.
std::string key_of(const RunResult& run, const Plugins& loaded, std::string_view variant) {
  const auto host = code_of_host(loaded);
  if (!host) return {};
  ByteWriter key;
  put_all(key, std::string_view("outputs"), variant, files::hex(*host));
  std::map<const Plugin*, std::optional<files::Digest>> code;
  const auto add = [&key](const std::string& bytes) { key.text(files::hex(files::digest_of(bytes))); };
  for (const QuestionRun& question : run.each_question()) {
    key.number(question.planned.analyzers.size());
    for (const PlannedAnalyzer& analyzer : question.planned.analyzers) {
      const auto [known, first] = code.try_emplace(analyzer.plugin);
      if (first) known->second = code_of(*analyzer.plugin);
      if (!known->second) return {};
      key.text(files::hex(*known->second));
    }
    ByteWriter one;
    put_planned(one, question.planned);
    put(one, question.found);
    put_concluded(one, question.result);
    add(one.bytes());
    for (const ReportRun& report : question.reports) add(to_bytes(report.result));
  }
  ByteWriter found;
  put(found, run.catalog->files);
  add(found.bytes());
  return key.bytes();
}

using Kept = std::vector<std::pair<std::string, std::string>>;  ///< name, digest

}  // namespace

KeptOutputs::KeptOutputs(cache::Store* memory, const Plugins& loaded, const RunResult& run, std::string_view variant)
    : memory_(memory) {
  if (memory != nullptr) key_ = key_of(run, loaded, variant);
}

std::optional<std::vector<std::string>> KeptOutputs::link(const fs::path& folder, const fs::path& to) const {
  const auto bytes = !key_.empty() ? memory_->find(key_) : std::nullopt;
  const auto kept = bytes ? cache::read_back<Kept>(*bytes) : std::nullopt;
  if (!kept || kept->empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, digest] : *kept) {
    std::error_code failed;
    fs::create_directories((to / name).parent_path(), failed);
    if (!failed) fs::create_hard_link(folder / name, to / name, failed);
    if (failed || files::hex_of_file(to / name) != digest) {
      for (const auto& entry : fs::directory_iterator(to, failed)) fs::remove_all(entry, failed);
      return std::nullopt;
    }
    names.push_back(name);
  }
  return names;
}

void KeptOutputs::keep(const fs::path& folder, const std::vector<std::string>& names) const {
  if (key_.empty()) return;
  Kept kept;
  for (const std::string& name : names) {
    const auto digest = files::hex_of_file(folder / name);
    if (!digest) return;
    kept.emplace_back(name, *digest);
  }
  memory_->keep(key_, cache::written(kept));
}

}  // namespace assay
