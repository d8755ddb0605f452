// A part: the results of one shard of a run in one file, which is all that the merge needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "result.hpp"
#include "shards/cut.hpp"

namespace assay {

/// Digests of the code and the options of one analyzer of one question.
struct AnalyzerIdentity {
  std::string question, id, version, code, options;
  friend bool operator==(const AnalyzerIdentity&, const AnalyzerIdentity&) = default;
};

/// Everything that results depend on besides the reports.
struct PartIdentity {
  std::string host;                         ///< version and digest of the program and its libraries
  std::vector<std::string> questions;       ///< ids
  std::vector<std::string> configurations;  ///< digests of their files
  std::vector<AnalyzerIdentity> analyzers;  ///< those that read reports, in planned order
  friend bool operator==(const PartIdentity&, const PartIdentity&) = default;
};

/// The lines of one recording's journal.
using JournalLines = std::vector<std::string>;

/// The result of one question for one report.
struct PartResult {
  std::size_t question = 0, entry = 0;  ///< of the catalog
  ReportResult result;                  ///< without notes, which describe how it was read
};

struct ShardPart {
  ShardNumber shard;
  PartIdentity identity;
  std::vector<std::string> configs;    ///< as given
  std::string folder;                  ///< in which the shard ran
  std::string study;                   ///< bytes of the FoundStudy, the same in all parts
  bool recorded = false;               ///< there are recordings, which add labels
  std::vector<JournalLines> journals;  ///< of the readable ones
  std::vector<PartResult> results;     ///< of this shard's reports, by question and entry
};

/// "shard-2-of-4.part"
std::string part_name(const ShardNumber& shard);

/// Writes the file atomically, replacing an earlier part. Errors (exit 3): it cannot be written.
Status write_part(const ShardPart& part, const std::filesystem::path& file);

/// Errors, without the file name: "is no part of a run", "is damaged" and the like.
Result<ShardPart> read_part(const std::filesystem::path& file);

/// Why `part` was not made as `now` would make it, such as "was made with another assay"; empty if it was.
std::string identity_difference(const PartIdentity& part, const PartIdentity& now);

}  // namespace assay
