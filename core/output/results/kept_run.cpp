#include "results/kept_run.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "cache/both_ways.hpp"
#include "files/digest.hpp"
#include "files/result_folder.hpp"
#include "results/key_bytes.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using cache::ByteWriter;

void add(ByteWriter& key, const ByteWriter& part) { key.text(files::hex(files::digest_of(part.bytes()))); }

/// Adds code and location of the analyzers, which are part of the outputs. False if some code is unknown.
bool add_code(ByteWriter& key, const Pipeline& line) {
  const auto host = code_of_host(line.plugins());
  if (!host) return false;
  key.text(files::hex(*host));
  std::set<const Plugin*> plugins;
  for (const PlannedQuestion& question : line.plan().questions) {
    for (const PlannedAnalyzer& analyzer : question.analyzers) {
      if (!plugins.insert(analyzer.plugin).second) continue;
      const auto code = code_of(*analyzer.plugin);
      if (!code) return false;
      write_keys(key, analyzer.plugin->file(), files::hex(*code));
    }
  }
  return true;
}

/// Empty if some code is unknown.
std::string key_of(const Pipeline& line, const std::vector<std::string>& command) {
  ByteWriter key;
  std::error_code unknown;
  write_keys(key, std::string_view("run"), command, fs::current_path(unknown));
  if (!add_code(key, line)) return {};
  key.number(line.plan().wanted.size());
  for (const ColumnId column : line.plan().wanted) key.number(static_cast<std::uint64_t>(column));
  for (std::size_t q = 0; q < line.plan().questions.size(); ++q) {
    ByteWriter question;
    write_planned(question, line.plan().questions[q]);
    write_key(question, line.catalog().questions[q]);
    add(key, question);
  }
  ByteWriter found;
  write_key(found, line.catalog().files);
  add(key, found);
  return key.bytes();
}

bool holds(const fs::path& out, const std::pair<std::string, std::string>& file) {
  std::error_code failed;
  return fs::is_regular_file(fs::symlink_status(out / file.first, failed)) &&
         files::hex_of_file(out / file.first) == file.second;
}

bool any_failed(const std::vector<Skip>& skips, bool of_analyzers) {
  return std::ranges::any_of(
      skips, [&](const Skip& skip) { return skip.failed && (!of_analyzers || !skip.analyzer.empty()); });
}

/// Whether something failed that may succeed next time. Missing data of a file that is not a report does not count.
bool may_differ_next_time(const RunResult& run) {
  for (const QuestionRun& question : run.each_question()) {
    if (any_failed(question.result.skips, true)) return true;
    for (const ReportRun& report : question.reports) {
      if (is_report(report.file.kind) && any_failed(report.result.skips, false)) return true;
    }
  }
  return false;
}

}  // namespace

LastRunCache::LastRunCache(fs::path folder, const Pipeline& line, const std::vector<std::string>& command)
    : store_(std::move(folder)), key_(key_of(line, command)) {}

std::optional<LastRunCache::StoredRun> LastRunCache::same(const Pipeline& line, const fs::path& out) const {
  const auto bytes = !key_.empty() ? store_.find(key_) : std::nullopt;
  std::optional<StoredRun> made = bytes ? cache::read_back<StoredRun>(*bytes) : std::nullopt;
  if (!made || made->files.empty() || files::is_half_filled(out)) return std::nullopt;
  const bool written = std::ranges::all_of(made->files, [&](const auto& file) { return holds(out, file); });
  if (!written || line.contents() != made->contents) return std::nullopt;
  return made;
}

void LastRunCache::keep(const Pipeline& line, const RunResult& run, NamedDigests files, std::vector<std::string> shown,
                        std::uint64_t most_bytes) {
  if (key_.empty() || files.empty() || may_differ_next_time(run)) return;
  const StoredRun made{line.contents(), std::move(files), std::move(shown)};
  if (!made.contents.empty()) store_.keep(key_, cache::written(made));
  if (store_.wrote()) store_.trim(most_bytes);
}

}  // namespace assay
