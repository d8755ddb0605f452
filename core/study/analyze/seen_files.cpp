#include "analyze/seen_files.hpp"

#include <algorithm>
#include <utility>

#include "analyze/result_cache.hpp"
#include "cache/bytes.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Where a file stood, and all that tells whether it is still the same one. What was looked at then is `what`.
std::string state_key(std::string_view what, const fs::path& file, const cache::FileContent& content) {
  std::error_code failed;
  const fs::path real = fs::canonical(file, failed);
  const auto& [bytes, device, node, size, modified_s, modified_ns, changed_s, changed_ns] = content;
  static_cast<void>(bytes);
  cache::ByteWriter key;
  key.text(what);
  key.text(real.native());
  for (const std::uint64_t number : {device, node, size}) key.number(number);
  for (const std::int64_t number : {modified_s, modified_ns, changed_s, changed_ns}) key.integer(number);
  return key.bytes();
}

std::string seen_key(const fs::path& file, const cache::FileContent& content) {
  return state_key("seen", file, content);
}

/// By its name, of a report, what is remembered; nothing when the bytes are not such.
std::optional<FoundFile> found_from_bytes(std::string_view bytes) {
  cache::ByteReader from(bytes);
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
  if (!from.complete() || !is_report(found.kind)) return std::nullopt;
  return found;
}

std::string to_bytes(const FoundFile& found) {
  cache::ByteWriter to;
  to.text(found.kind.word);
  to.number(found.environment.size());
  for (const auto& [name, value] : found.environment) {
    to.text(name);
    to.text(value);
  }
  return to.bytes();
}

}  // namespace

std::optional<files::Digest> seen_bytes(const cache::Store& store, const fs::path& file,
                                        const cache::FileContent& state) {
  const auto bytes = store.find(seen_key(file, state));
  if (!bytes) return std::nullopt;
  cache::ByteReader from(*bytes);
  const files::Digest digest{from.number(), from.number()};
  return from.complete() ? std::optional(digest) : std::nullopt;
}

void keep_seen_bytes(cache::Store& store, const fs::path& file, const cache::FileContent& content) {
  if (!cache::is_settled(content)) return;
  cache::ByteWriter digest;
  digest.number(content.bytes.high);
  digest.number(content.bytes.low);
  store.keep(seen_key(file, content), digest.bytes());
}

std::optional<SeenFiles> SeenFiles::make(cache::Store& store, const Plugins& loaded) {
  const std::optional<files::Digest> program = code_of_host(loaded);
  if (!program) return std::nullopt;
  return SeenFiles(store, "found by " + files::hex(*program));
}

FoundFile SeenFiles::found(const fs::path& path, std::string name,
                           FoundFile (*look)(const fs::path&, std::string)) const {
  const std::optional<cache::FileContent> state = cache::report_state(path);
  if (!state) return look(path, std::move(name));
  const std::string key = state_key(program_, path, *state);
  if (const auto bytes = store_->find(key)) {
    if (std::optional<FoundFile> known = found_from_bytes(*bytes)) {
      known->name = std::move(name);
      known->path = path;
      known->size = state->size;
      return std::move(*known);
    }
  }
  FoundFile seen = look(path, std::move(name));
  // Of a file that changed while it was looked at, or may since, nothing is remembered.
  const bool still = is_report(seen.kind) && cache::is_settled(*state) && cache::report_state(path) == state;
  if (still) store_->keep(key, to_bytes(seen));
  return seen;
}

std::optional<files::Digest> SeenFiles::digest(const fs::path& path) const {
  const std::optional<cache::FileContent> state = cache::report_state(path);
  return state ? seen_bytes(*store_, path, *state) : std::nullopt;
}

void SeenFiles::learn(const fs::path& path) const {
  if (const std::optional<cache::FileContent> content = cache::read_report_content(path))
    keep_seen_bytes(*store_, path, *content);
}

}  // namespace assay
