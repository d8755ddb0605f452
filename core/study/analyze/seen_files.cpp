#include "analyze/seen_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "analyze/result_cache.hpp"
#include "cache/both_ways.hpp"
#include "cache/bytes.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using cache::ByteReader;
using cache::ByteWriter;
using cache::FileContent;

/// Hashing this much takes about as long as recognizing a report; larger files are recognized again instead.
constexpr std::uint64_t kQuicklyRead = std::uint64_t{1} << 22;

FileContent without_bytes(FileContent content) {
  content.bytes = {};
  return content;
}

void write_key(ByteWriter& to, const FileContent& content) {
  const auto& [bytes, device, node, size, modified_s, modified_ns, changed_s, changed_ns] = content;
  for (const std::uint64_t number : {bytes.high, bytes.low, device, node, size}) to.number(number);
  for (const std::int64_t number : {modified_s, modified_ns, changed_s, changed_ns}) to.integer(number);
}

FileContent content_from(ByteReader& from) {
  FileContent content;
  auto& [bytes, device, node, size, modified_s, modified_ns, changed_s, changed_ns] = content;
  for (std::uint64_t* number : {&bytes.high, &bytes.low, &device, &node, &size}) *number = from.number();
  for (std::int64_t* number : {&modified_s, &modified_ns, &changed_s, &changed_ns}) *number = from.integer();
  return content;
}

void write_key(ByteWriter& to, const FoundFile& found) {
  to.text(is_report(found.kind) ? found.kind.word : std::string_view());
  to.number(found.environment.size());
  for (const auto& [name, value] : found.environment) {
    to.text(name);
    to.text(value);
  }
}

FoundFile found_from(ByteReader& from) {
  FoundFile found;
  const std::string word = from.text();
  for (const load::Format* format : load::formats()) {
    if (format->kind.word == word) found.kind = format->kind;
  }
  const std::size_t count = from.count();
  for (std::size_t i = 0; i < count && from.good(); ++i) {
    std::string name = from.text();
    found.environment.emplace_back(std::move(name), from.text());
  }
  return found;
}

std::string key_of(const files::Digest& program, std::string_view whose) {
  std::error_code unknown;
  ByteWriter key;
  key.text("files seen");
  key.text(files::hex(program));
  key.text(fs::current_path(unknown).native());  // paths may be relative
  key.text(whose);
  return key.bytes();
}

/// Trusts only a table that was written completely.
std::map<std::string, SeenFile, std::less<>> table_from(std::string_view bytes) {
  ByteReader from(bytes);
  std::map<std::string, SeenFile, std::less<>> table;
  const std::size_t count = from.count();
  for (std::size_t i = 0; i < count && from.good(); ++i) {
    SeenFile& file = table[from.text()];
    file.read = true;
    file.settled = from.flag();
    file.content = content_from(from);
    file.found = found_from(from);
    file.facts = cache::read_back<RunFacts>(from.text());
  }
  if (!from.complete()) table.clear();
  return table;
}

bool is_in_state(const SeenFile& file, const FileContent& state) {
  return file.read && file.settled && without_bytes(file.content) == without_bytes(state);
}

/// Whether its kind was determined from the bytes that were read.
bool is_known(const SeenFile& file) {
  return file.read && file.looked && is_report(file.found.kind) && *file.looked == without_bytes(file.content);
}

}  // namespace

SeenFiles::SeenFiles(cache::Store& store, std::string key, bool trust_times)
    : store_(&store),
      key_(std::move(key)),
      trust_times_(trust_times),
      kept_(store.find(key_).value_or(std::string())),
      before_(kept_.empty() ? Table() : table_from(kept_)) {}

std::unique_ptr<SeenFiles> SeenFiles::make(cache::Store& store, const Plugins& loaded, std::string_view whose,
                                           bool trust_times) {
  const std::optional<files::Digest> program = code_of_host(loaded);
  if (!program) return nullptr;
  return std::unique_ptr<SeenFiles>(new SeenFiles(store, key_of(*program, whose), trust_times));
}

const SeenFile* SeenFiles::before(const fs::path& file) const {
  const auto at = before_.find(file.native());
  return at == before_.end() ? nullptr : &at->second;
}

std::optional<SeenFile> SeenFiles::now(const fs::path& file) const {
  const std::scoped_lock lock(mutex_);
  const auto at = now_.find(file.native());
  return at == now_.end() ? std::nullopt : std::optional(at->second);
}

/// Does not read the file if its state is trusted.
std::optional<SeenFile> SeenFiles::read(const fs::path& file, bool report) const {
  const std::optional<FileContent> state = report ? cache::report_state(file) : cache::content_state(file);
  if (!state) return std::nullopt;
  const SeenFile* known = before(file);
  if (trust_times_ && known != nullptr && is_in_state(*known, *state)) return *known;
  SeenFile seen;
  seen.settled = cache::is_settled(*state);  // before reading, so that a later change shows
  const std::optional<FileContent> content = report ? cache::read_report_content(file) : cache::read_content(file);
  if (!content) return std::nullopt;
  seen.settled = seen.settled && without_bytes(*content) == *state;
  seen.content = *content;
  seen.read = true;
  return seen;
}

std::optional<FileContent> SeenFiles::content(const fs::path& file, bool report) const {
  const std::optional<SeenFile> first = now(file);
  if (first && first->read) {
    const auto state = report ? cache::report_state(file) : cache::content_state(file);
    if (state && is_in_state(*first, *state)) return first->content;
  }
  const std::optional<SeenFile> seen = read(file, report);
  const std::scoped_lock lock(mutex_);
  SeenFile& known = now_[file.native()];
  known.changed = known.changed || !seen || (known.read && known.content != seen->content);
  if (!seen) return std::nullopt;
  if (!known.read) std::tie(known.content, known.settled, known.read) = std::tuple(seen->content, seen->settled, true);
  return seen->content;
}

std::optional<FileContent> SeenFiles::steady(const fs::path& file, bool report) const {
  const std::optional<FileContent> content = this->content(file, report);
  const std::optional<SeenFile> known = now(file);
  return known && !known->changed ? content : std::nullopt;
}

/// Result of an earlier recognition, if the content is unchanged.
const SeenFile* SeenFiles::recognized(const fs::path& path) const {
  const SeenFile* known = before(path);
  if (known == nullptr || !is_report(known->found.kind)) return nullptr;
  if (!trust_times_ && known->content.size > kQuicklyRead) return nullptr;
  const std::optional<FileContent> content = this->content(path, true);
  return content && content->bytes == known->content.bytes ? known : nullptr;
}

FoundFile SeenFiles::found(const fs::path& path, std::string name,
                           FoundFile (*look)(const fs::path&, std::string)) const {
  if (const SeenFile* known = recognized(path)) {
    const std::scoped_lock lock(mutex_);
    SeenFile& seen = now_[path.native()];
    seen.looked = without_bytes(seen.content);
    seen.found = known->found;
    FoundFile found = known->found;
    found.name = std::move(name);
    found.path = path;
    found.size = seen.content.size;
    return found;
  }
  const std::optional<FileContent> state = cache::report_state(path);
  FoundFile found = look(path, std::move(name));
  // Stores nothing for a file that changed while it was recognized or may have changed since.
  if (!state || !is_report(found.kind) || !found.problem.empty() || !cache::is_settled(*state)) return found;
  if (cache::report_state(path) != state) return found;
  const std::scoped_lock lock(mutex_);
  SeenFile& seen = now_[path.native()];
  seen.looked = state;
  seen.found.kind = found.kind;
  seen.found.environment = found.environment;
  return found;
}

RunFacts SeenFiles::facts(const FoundFile& file, RunFacts (*look)(const FoundFile&)) const {
  const SeenFile* known = recognized(file.path);
  RunFacts facts = known != nullptr && known->facts ? *known->facts : look(file);
  const std::scoped_lock lock(mutex_);
  now_[file.path.native()].facts = facts;
  return facts;
}

std::optional<files::Digest> SeenFiles::digest(const fs::path& path) const {
  const std::optional<SeenFile> seen = now(path);
  return seen && seen->read && !seen->changed ? std::optional(seen->content.bytes) : std::nullopt;
}

void SeenFiles::learn(const fs::path& path) const { static_cast<void>(content(path, true)); }

void SeenFiles::keep() const {
  const std::scoped_lock lock(mutex_);
  for (auto& [path, file] : now_) {
    const auto old = before_.find(path);  // of a file that this run did not read
    if (!file.read && file.looked && old != before_.end() && is_in_state(old->second, *file.looked))
      std::tie(file.content, file.settled, file.read) = std::tuple(old->second.content, true, true);
  }
  ByteWriter bytes;
  bytes.number(static_cast<std::uint64_t>(
      std::ranges::count_if(now_, [](const auto& file) { return file.second.read && !file.second.changed; })));
  for (const auto& [path, file] : now_) {
    if (!file.read || file.changed) continue;
    bytes.text(path);
    bytes.flag(file.settled);
    write_key(bytes, file.content);
    write_key(bytes, is_known(file) ? file.found : FoundFile{});
    bytes.text(file.facts ? cache::written(*file.facts) : std::string());
  }
  if (bytes.bytes() != kept_) store_->keep(key_, bytes.bytes());
}

}  // namespace assay
