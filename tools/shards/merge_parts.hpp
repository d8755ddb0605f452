// Merges the parts of one run into what `conclude` needs, without the reports.
#pragma once

#include <string>
#include <vector>

#include "shards/catalog_bytes.hpp"
#include "shards/part.hpp"

namespace assay {

/// A file given as a part.
struct PartFile {
  std::string file;
  Result<ShardPart> part;
};

/// Missing pieces of a merge, in words: "'parts/shard-2-of-3.part' is damaged", "shard 2/3 is missing".
using MissingParts = std::vector<std::string>;

struct MergedParts {
  FoundStudy study;
  Analysis analysis;       ///< as for one run over all reports, before gathering
  MissingParts missing;    ///< empty: complete
  std::size_t unread = 0;  ///< reports without results because a part is missing, each counted once
  std::vector<JournalLines> journals;
};

/// The first readable part, which determines the question. Error (exit 2): there is none, or one belongs to another
/// question or to another number of shards.
Result<const ShardPart*> first_part(const std::vector<PartFile>& given);

/// Independent of the order of `given`. Parts must be as `now` and the plan would make them; of several parts of one
/// shard, which must agree, one counts. Damaged, deviating or missing parts are refused (exit 2), each by name;
/// `partial` continues without them, and reports in no part are skipped with that reason.
Result<MergedParts> merge_parts(std::vector<PartFile> given, const PartIdentity& now, const Plan& plan, bool partial);

}  // namespace assay
