#include "shards/part.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analyze/stored_output.hpp"
#include "cache/bytes.hpp"
#include "cache/entry.hpp"
#include "files/read_file.hpp"
#include "files/staged_file.hpp"

namespace assay {
namespace {

using cache::ByteReader;
using cache::ByteWriter;

/// The key of a part in its file: its type and the version of its layout.
constexpr std::string_view kKey = "assay part of a run, layout 1";
const files::OutputKind kPartFile{
    .name = "a part of a run", .begins = "assayres", .mark = "assay part of a run", .in_folder = true};

void write(ByteWriter& to, const std::vector<std::string>& texts) {
  to.number(texts.size());
  for (const std::string& text : texts) to.text(text);
}

std::vector<std::string> texts(ByteReader& from) {
  std::vector<std::string> out(from.count());
  for (std::string& text : out) text = from.text();
  return out;
}

void write(ByteWriter& to, const PartIdentity& identity) {
  const auto& [host, questions, configurations, analyzers] = identity;
  to.text(host);
  write(to, questions);
  write(to, configurations);
  to.number(analyzers.size());
  for (const auto& [question, id, version, code, options] : analyzers)
    write(to, std::vector<std::string>{question, id, version, code, options});
}

PartIdentity identity_of(ByteReader& from) {
  PartIdentity identity{from.text(), texts(from), texts(from), {}};
  const std::size_t analyzers = from.count();
  for (std::size_t i = 0; i < analyzers && from.good(); ++i) {
    std::vector<std::string> words = texts(from);
    words.resize(5);
    identity.analyzers.push_back({words[0], words[1], words[2], words[3], words[4]});
  }
  return identity;
}

std::string payload_of_part(const ShardPart& part) {
  const auto& [shard, identity, configs, folder, study, recorded, journals, results] = part;
  ByteWriter to;
  to.number(shard.number);
  to.number(shard.of);
  write(to, identity);
  write(to, configs);
  to.text(folder);
  to.text(study);
  to.flag(recorded);
  to.number(journals.size());
  for (const JournalLines& lines : journals) write(to, lines);
  to.number(results.size());
  for (const PartResult& one : results) {
    to.number(one.question);
    to.number(one.entry);
    to.text(to_bytes(one.result));
  }
  return to.bytes();
}

Error damaged() { return {"is damaged"}; }

Result<ShardPart> part_of(std::string_view payload) {
  ByteReader from(payload);
  ShardPart part;
  part.shard = {from.number(), from.number()};
  part.identity = identity_of(from);
  part.configs = texts(from);
  part.folder = from.text();
  part.study = from.text();
  part.recorded = from.flag();
  const std::size_t journals = from.count();
  for (std::size_t i = 0; i < journals && from.good(); ++i) part.journals.push_back(texts(from));
  const std::size_t results = from.count();
  for (std::size_t i = 0; i < results && from.good(); ++i) {
    PartResult one{from.number(), from.number(), {}};
    std::optional<ReportResult> result = result_from_bytes(from.text());
    if (!result) return damaged();
    one.result = *std::move(result);
    part.results.push_back(std::move(one));
  }
  if (!from.complete() || part.shard.number < 1 || part.shard.number > part.shard.of) return damaged();
  return part;
}

/// The first analyzer in which two lists differ, in words.
std::string analyzer_difference(const std::vector<AnalyzerIdentity>& then, const std::vector<AnalyzerIdentity>& now) {
  for (std::size_t i = 0; i < std::max(then.size(), now.size()); ++i) {
    if (i >= then.size() || i >= now.size() || then[i].id != now[i].id || then[i].question != now[i].question)
      return "was made with other analyzers";
    const std::string name = fmt::format("'{}' (question '{}')", then[i].id, then[i].question);
    if (then[i].version != now[i].version)
      return fmt::format("was made with version {} of {}, which is {} now", then[i].version, name, now[i].version);
    if (then[i].code != now[i].code) return "was made with another library of " + name;
    if (then[i].options != now[i].options) return "was made with other options of " + name;
  }
  return {};
}

}  // namespace

std::string part_name(const ShardNumber& shard) { return fmt::format("shard-{}-of-{}.part", shard.number, shard.of); }

Status write_part(const ShardPart& part, const std::filesystem::path& file) {
  std::error_code failed;
  if (!file.parent_path().empty()) std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) return files::not_written(file.parent_path(), failed.message());
  return files::write_text(file, kPartFile, cache::make_entry(kKey, payload_of_part(part)));
}

Result<ShardPart> read_part(const std::filesystem::path& file) {
  constexpr std::uint64_t kLargest = std::uint64_t{4} << 30U;
  const Result<std::string> bytes = files::read_file(file, kLargest, files::NamedBy::kAssay);
  if (!bytes) return bytes.error();
  const std::optional<std::string_view> payload = cache::payload_of(*bytes, kKey);
  if (!payload) return damaged();
  return part_of(*payload);
}

std::string identity_difference(const PartIdentity& part, const PartIdentity& now) {
  if (part.host != now.host) return "was made with another assay or other libraries";
  return analyzer_difference(part.analyzers, now.analyzers);
}

}  // namespace assay
