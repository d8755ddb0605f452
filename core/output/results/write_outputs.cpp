#include "results/write_outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "analyze/result_cache.hpp"
#include "analyze/stored_output.hpp"
#include "cache/both_ways.hpp"
#include "cache/store.hpp"
#include "files/digest.hpp"
#include "files/result_folder.hpp"
#include "files/staged_file.hpp"
#include "pipeline/run_result.hpp"
#include "plugins/plugins.hpp"
#include "render/html/html.hpp"
#include "render/outputs.hpp"
#include "results/fact_columns.hpp"
#include "results/key_bytes.hpp"
#include "results/results_sqlite.hpp"
#include "workers.hpp"

namespace assay {
namespace {

bool is_page(const std::filesystem::path& out) { return out.extension() == ".html"; }

/// Remembers names and digests of a run's outputs, keyed by everything they are made from and the code that makes them.
/// Without run.json, which contains times.
class OutputCache {
 public:
  /// `memory` may be null, for no caching; also none if the system cannot identify the running code. `loaded` are all
  /// plugins in memory. `variant`: what else determines the outputs.
  OutputCache(cache::Store* memory, const Plugins& loaded, const RunResult& run, std::string_view variant);

  /// If an equal run was written and `folder` still has all of its outputs unchanged, hard-links them into `to` and
  /// returns their names. Else empty, with nothing in `to`.
  [[nodiscard]] std::optional<std::vector<std::string>> link(const std::filesystem::path& folder,
                                                             const std::filesystem::path& to) const;

  /// Stores the outputs of this run, which are in `folder`.
  void keep(const std::filesystem::path& folder, const std::vector<std::string>& names) const;

 private:
  cache::Store* memory_;
  std::string key_;  ///< empty: no caching
};

namespace fs = std::filesystem;
using cache::ByteWriter;

void write_conclusions(ByteWriter& to, const QuestionResult& result) {
  const auto& [metrics, study_facts, findings, claims, tables, plots, text_files, skips, completeness, notes,
               recalled] = result;
  static_cast<void>(notes);
  static_cast<void>(recalled);  // for the log
  write_keys(to, metrics, study_facts, findings, claims, tables, plots, text_files, skips, completeness);
}

/// Key of everything that the outputs are made from, and the code that makes them. Hashes reports one by one, since a
/// campaign has many. Empty if some code is unknown.
std::string key_of(const RunResult& run, const Plugins& loaded, std::string_view variant) {
  const auto host = code_of_host(loaded);
  if (!host) return {};
  ByteWriter key;
  write_keys(key, std::string_view("outputs"), variant, files::hex(*host));
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
    write_planned(one, question.planned);
    write_key(one, question.found);
    write_conclusions(one, question.result);
    add(one.bytes());
    for (const ReportRun& report : question.reports) add(to_bytes(report.result));
  }
  ByteWriter found;
  write_key(found, run.catalog->files);
  add(found.bytes());
  return key.bytes();
}

using KeptFiles = std::vector<std::pair<std::string, std::string>>;  ///< name, digest

OutputCache::OutputCache(cache::Store* memory, const Plugins& loaded, const RunResult& run, std::string_view variant)
    : memory_(memory) {
  if (memory != nullptr) key_ = key_of(run, loaded, variant);
}

std::optional<std::vector<std::string>> OutputCache::link(const fs::path& folder, const fs::path& to) const {
  const auto bytes = !key_.empty() ? memory_->find(key_) : std::nullopt;
  const auto kept = bytes ? cache::read_back<KeptFiles>(*bytes) : std::nullopt;
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

void OutputCache::keep(const fs::path& folder, const std::vector<std::string>& names) const {
  if (key_.empty()) return;
  KeptFiles kept;
  for (const std::string& name : names) {
    const auto digest = files::hex_of_file(folder / name);
    if (!digest) return;
    kept.emplace_back(name, *digest);
  }
  memory_->keep(key_, cache::written(kept));
}

namespace fs = std::filesystem;

constexpr const char* kDatabase = "results.sqlite";
constexpr const char* kFacts = "facts.csv";
constexpr const char* kWideFacts = "facts_wide.csv";
constexpr const char* kRunRecord = "run.json";

/// The manifest of a result is the table `files` of its database.
files::FolderRules rules(bool force) { return {kDatabase, files_of_earlier_run, force}; }

/// Writes the output of `write` to a file.
Status write_file(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return files::not_written(file.parent_path(), error.message());
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream) return files::not_written(file.filename(), std::strerror(errno != 0 ? errno : EIO));
  return ok();
}

Status write_text(const fs::path& file, const std::string& text) {
  return write_file(file, [&](std::ostream& to) { to.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

}  // namespace

Status check_output_folder(const fs::path& out, bool force) {
  if (is_page(out)) {
    std::error_code failed;
    if (Status free = files::check_replaceable(out, kHtmlPage); !free) return free;
    if (force || !fs::is_regular_file(out, failed)) return ok();
    return Error{"'" + out.string() + "' already exists"}
        .at(out.string())
        .advise("name another file with -o, or replace it with --force");
  }
  const Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  return folder ? ok() : folder.error();
}

Status check_output_folder(const fs::path& out, bool force, const std::vector<Question>& questions) {
  const auto ids = names_of_earlier_run(out / kDatabase, "question");
  const auto analyzers = names_of_earlier_run(out / kDatabase, "analyzer");
  const bool alike = std::ranges::all_of(questions, [&](const Question& question) {
    return question.analyzers.empty() || std::ranges::count(analyzers, question.analyzers.front().id) > 0;
  });
  for (const std::string& id : ids) {
    if (force || (alike && std::ranges::find(questions, id, &Question::id) != questions.end())) continue;
    return Error{fmt::format("output folder '{}' holds another answer ('{}')", out.string(), id)}
        .at(out.string())
        .advise("choose another one with -o, or replace it with --force");
  }
  return check_output_folder(out, force);
}

namespace {

/// Writes all outputs but run.json into `folder`; returns their sorted names.
Result<std::vector<std::string>> make_outputs(const RunResult& run, const fs::path& folder, const MoreOutputs& more) {
  const FactRows facts(run);
  std::vector<std::pair<std::string, std::string>> texts = text_files(run);
  for (auto& plot : plot_files(run)) texts.push_back(std::move(plot));
  const std::vector<std::pair<const char*, std::function<std::string()>>> larger = {
      {"findings.json", [&] { return findings_json(run); }},
      {"report.md", [&] { return report_md(run); }},
      {"summary.md", [&] { return more.summary.empty() ? summary_md(run) : more.summary; }},
      {"report.html", [&] { return report_html(run, facts); }},
  };
  std::vector<std::string> names = {kDatabase, kFacts, kWideFacts};
  for (const auto& [name, text] : texts) names.push_back(name);
  for (const auto& [name, text] : larger) names.emplace_back(name);
  std::ranges::sort(names);
  std::vector<std::string> listed = names;
  if (more.run_json) listed.insert(std::ranges::lower_bound(listed, kRunRecord), kRunRecord);

  // The database takes longest, so it starts first; if several writers fail, its failure is reported last.
  std::vector<std::function<Status()>> writers;
  writers.emplace_back([&] { return results_sqlite(run, facts, listed, folder / kDatabase); });
  writers.emplace_back(
      [&] { return write_file(folder / kFacts, [&](std::ostream& to) { write_facts_csv(facts, to); }); });
  writers.emplace_back(
      [&] { return write_file(folder / kWideFacts, [&](std::ostream& to) { write_facts_wide(run, facts, to); }); });
  for (const auto& one : larger)
    writers.emplace_back([&, text = &one] { return write_text(folder / text->first, text->second()); });
  std::vector<Status> written(writers.size(), ok());
  const auto stopped = [&] { return more.stop != nullptr && *more.stop; };
  for_each_on_workers(writers.size(), 0, [&](std::size_t i) {
    if (!stopped()) written[i] = writers[i]();
  });
  if (stopped()) return Error{"interrupted", Exit::kInterrupted}.advise("nothing was written");
  std::rotate(written.begin(), written.begin() + 1, written.end());
  for (const auto& [name, text] : texts) {
    if (Status status = write_text(folder / name, text); !status) return status.error();
  }
  for (const Status& status : written) {
    if (!status) return status.error();
  }
  return names;
}

/// Digests of the outputs; empty if one cannot be read.
NamedDigests digests_of(const fs::path& folder, const std::vector<std::string>& names) {
  NamedDigests digests;
  for (const std::string& name : names) {
    const auto digest = files::hex_of_file(folder / name);
    if (!digest) return {};
    digests.emplace_back(name, *digest);
  }
  return digests;
}

}  // namespace

Result<std::vector<std::string>> write_outputs(const RunResult& run, const fs::path& out, bool force,
                                               const MoreOutputs& more) {
  if (is_page(out)) {
    if (Status written = files::write_text(out, kHtmlPage, report_html(run, FactRows(run))); !written)
      return written.error();
    return std::vector{out.filename().string()};
  }
  Result<files::ResultFolder> folder = files::ResultFolder::make(out, rules(force));
  if (!folder) return folder.error();
  const Plugins none;
  const OutputCache kept(more.memory, more.plugins != nullptr ? *more.plugins : none, run,
                         more.run_json ? "recorded" : "");
  std::vector<std::string> names;
  if (auto linked = kept.link(out, folder->path())) {
    names = *std::move(linked);
  } else {
    Result<std::vector<std::string>> made = make_outputs(run, folder->path(), more);
    if (!made) return made.error();
    names = *std::move(made);
    kept.keep(folder->path(), names);
  }
  if (more.run_json) {
    if (Status status = write_text(folder->path() / kRunRecord, more.run_json()); !status) return status.error();
    names.insert(std::ranges::lower_bound(names, kRunRecord), kRunRecord);
  }
  if (more.digests != nullptr)
    *more.digests = digests_of(folder->path(), names);  // before another process can write there
  if (Status published = folder->publish(names); !published) return published.error();
  return names;
}

}  // namespace assay
