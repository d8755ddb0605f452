#include "analyze/result_cache.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <variant>

#include "analyze/columns_read.hpp"
#include "analyze/seen_files.hpp"
#include "cache/bytes.hpp"
#include "cache/program.hpp"

namespace assay {
namespace {

using cache::ByteWriter;

struct PutValue {
  ByteWriter& to;
  void operator()(bool value) const { to.flag(value); }
  void operator()(std::int64_t value) const { to.integer(value); }
  void operator()(double value) const { to.real(value); }
  void operator()(const std::string& value) const { to.text(value); }
  void operator()(const std::vector<std::string>& values) const {
    to.number(values.size());
    for (const std::string& value : values) to.text(value);
  }
  void operator()(const std::vector<double>& values) const { to.reals(values); }
};

void write_key(ByteWriter& to, const OptionSet& options) {
  to.number(options.entries().size());
  for (const OptionSet::Entry& entry : options.entries()) {
    const auto& [name, type, given, value] = entry;
    to.text(name);
    to.number(static_cast<std::uint64_t>(type));
    to.flag(given);
    to.number(value.index());
    std::visit(PutValue{to}, value);
  }
}

void write_key(ByteWriter& to, const WindowSpec& window, const IterationSpec& iterations) {
  const auto& [nvtx, mode, fallback] = window;
  to.text(nvtx);
  to.number(static_cast<std::uint64_t>(mode));
  to.flag(fallback);
  to.number(iterations.nvtx.size());
  for (const std::string& name : iterations.nvtx) to.text(name);
}

}  // namespace

std::string to_bytes(const OptionSet& options) {
  ByteWriter to;
  write_key(to, options);
  return to.bytes();
}

std::optional<files::Digest> code_of(const Plugin& plugin) {
  if (plugin.file().empty())
    return files::Digest{};  // an analyzer linked into the program is covered by the program's
                             // digest
  return cache::digest_of_library(plugin.file(), plugin.symbol());
}

std::optional<files::Digest> code_of_host(const Plugins& loaded) {
  std::vector<const void*> plugins;
  for (const auto& plugin : loaded.loaded) {
    if (!plugin->file().empty()) plugins.push_back(plugin->symbol());
  }
  // Needed three times per run, and each computation reads 25 MB.
  static std::mutex mutex;
  static std::map<std::vector<const void*>, std::optional<files::Digest>> known;
  const std::lock_guard lock(mutex);
  const auto [at, first] = known.try_emplace(plugins);
  if (first) at->second = cache::digest_of_program(plugins);
  return at->second;
}

/// Content of the report and of files joined to it; empty if any of them is not settled.
std::vector<cache::FileContent> ResultCache::contents_of(const std::filesystem::path& report,
                                                         std::span<const std::filesystem::path> joined) const {
  std::vector<cache::FileContent> contents;
  const auto add = [&](const std::optional<cache::FileContent>& content) {
    if (content) contents.push_back(*content);
    return content.has_value();
  };
  if (!add(content_of(report, true))) return {};
  for (const std::filesystem::path& file : joined) {
    if (!add(content_of(file, false))) return {};
  }
  return contents;
}

std::optional<cache::FileContent> ResultCache::content_of(const std::filesystem::path& file, bool report) const {
  if (seen_ != nullptr) return seen_->content(file, report);
  if (report && least_file_ > 0) return cache::sample_report_content(file);
  return report ? cache::read_report_content(file) : cache::read_content(file);
}

std::optional<ResultCache> ResultCache::make(cache::Store& store, const Plan& plan, const Plugins& loaded,
                                             const SeenFiles* seen, std::uint64_t least_file) {
  const std::optional<files::Digest> program = code_of_host(loaded);
  if (!program) return std::nullopt;
  ByteWriter run;
  run.text(files::hex(*program));
  // Linking depends on all columns that are read, and analyzers see them all, so the columns are part of the key.
  const std::set<ColumnId> columns = columns_read(plan);
  run.number(columns.size());
  for (const ColumnId column : columns) run.number(static_cast<std::uint64_t>(column));

  run.flag(needs_fingerprints(plan));

  ResultCache made(store, run.bytes(), seen, least_file);
  for (const PlannedQuestion& question : plan.questions) {
    for (const PlannedAnalyzer& analyzer : question.analyzers) {
      if (made.code_.contains(analyzer.plugin)) continue;
      if (const auto code = code_of(*analyzer.plugin)) made.code_.emplace(analyzer.plugin, *code);
    }
  }
  return made;
}

namespace {

/// Result of `work`; empty if it runs out of memory.
template <class Work>
auto while_memory_lasts(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return decltype(work())();
  }
}

}  // namespace

std::string ResultCache::given_key(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen) const {
  const auto code = code_.find(analyzer.plugin);
  if (code == code_.end()) return {};
  ByteWriter key;
  key.text(run_);
  key.number(stage);
  key.text(files::hex(files::digest_of(seen)));
  key.text(analyzer.plugin->id());
  key.text(files::hex(code->second));
  write_key(key, analyzer.options);
  return key.bytes();
}

std::optional<std::string> ResultCache::given(Stage stage, const PlannedAnalyzer& analyzer,
                                              std::string_view seen) const {
  return while_memory_lasts([&]() -> std::optional<std::string> {
    const std::string key = given_key(stage, analyzer, seen);
    return key.empty() ? std::nullopt : store_->find(key);
  });
}

void ResultCache::store_given(Stage stage, const PlannedAnalyzer& analyzer, std::string_view seen,
                              std::string_view given) const {
  while_memory_lasts([&] {
    const std::string key = given_key(stage, analyzer, seen);
    if (!key.empty()) store_->keep(key, given);
  });
}

RememberedReport::RememberedReport(const ResultCache* cache, const FoundFile& file,
                                   std::span<const std::filesystem::path> joined)
    : cache_(cache), file_(&file), joined_(joined) {
  if (cache != nullptr && file.size >= cache->least_file_) contents_ = cache->contents_of(file.path, joined);
}

std::string RememberedReport::view_key(const Question& question) const {
  ByteWriter key;
  key.text(cache_->run_);
  key.text(file_->kind.word);
  key.text(file_->name);
  key.text(files::hex(contents_.front().bytes));
  key.number(joined_.size());
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    key.text(joined_[i].native());
    key.text(files::hex(contents_[i + 1].bytes));
  }
  write_key(key, question.window, question.iterations);
  return key.bytes();
}

std::string RememberedReport::output_key(const Question& question, const PlannedAnalyzer& analyzer) const {
  const auto code = cache_->code_.find(analyzer.plugin);
  if (code == cache_->code_.end()) return {};
  ByteWriter key;
  key.text(view_key(question));
  key.text(analyzer.plugin->id());
  key.text(files::hex(code->second));
  write_key(key, analyzer.options);
  return key.bytes();
}

std::optional<ViewIssues> RememberedReport::view(const Question& question) const {
  if (contents_.empty()) return std::nullopt;
  return while_memory_lasts([&]() -> std::optional<ViewIssues> {
    const std::optional<std::string> bytes = cache_->store_->find(view_key(question));
    return bytes ? view_from_bytes(*bytes) : std::nullopt;
  });
}

std::optional<AnalyzerOutput> RememberedReport::output(const Question& question,
                                                       const PlannedAnalyzer& analyzer) const {
  const std::string key = !contents_.empty() ? output_key(question, analyzer) : std::string();
  if (key.empty()) return std::nullopt;
  return while_memory_lasts([&]() -> std::optional<AnalyzerOutput> {
    const std::optional<std::string> bytes = cache_->store_->find(key);
    return bytes ? output_from_bytes(*bytes, analyzer.plugin->descriptor()) : std::nullopt;
  });
}

void RememberedReport::remember(const Question& question, const ViewIssues& view) {
  if (contents_.empty()) return;
  while_memory_lasts([&] { new_.emplace_back(view_key(question), to_bytes(view)); });
}

void RememberedReport::remember(const Question& question, const PlannedAnalyzer& analyzer,
                                const AnalyzerOutput& output) {
  const bool failed = std::any_of(output.skips.begin(), output.skips.end(), [](const Skip& s) { return s.failed; });
  const std::string key = !contents_.empty() && !failed ? output_key(question, analyzer) : std::string();
  if (key.empty()) return;
  while_memory_lasts([&] { new_.emplace_back(key, to_bytes(output)); });
}

void RememberedReport::keep() const {
  if (new_.empty() || cache_->contents_of(file_->path, joined_) != contents_) return;
  while_memory_lasts([&] {
    for (const auto& [key, payload] : new_) cache_->store_->keep(key, payload);
  });
}

}  // namespace assay
