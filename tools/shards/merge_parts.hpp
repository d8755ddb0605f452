// Parts of one run put together: what `conclude` needs, without the reports.
#pragma once

#include <string>
#include <vector>

#include "shards/catalog_bytes.hpp"
#include "shards/part.hpp"

namespace assay {

/// A file that was given for a part.
struct PartFile {
  std::string file;
  Result<ShardPart> part;
};

/// What is missing of a merge, in words: "'parts/shard-2-of-3.part' is damaged", "shard 2/3 is missing".
using MissingParts = std::vector<std::string>;

struct MergedParts {
  FoundStudy study;
  Analysis analysis;       ///< as one run over all reports gives it, before gathering
  MissingParts missing;    ///< empty: nothing is
  std::size_t unread = 0;  ///< reports, each counted once, that nothing is known of for want of a part
  std::vector<JournalLines> journals;
};

/// The first part that can be read: it tells the question. Error (exit 2): there is none, or one of another question
/// or of a cut into another number of shards is among them.
Result<const ShardPart*> first_part(const std::vector<PartFile>& given);

/// Whatever the order of `given`. Parts must be as `now`, and plan, would make them; of parts of one shard, which must
/// say the same, one counts. What is damaged, was made otherwise or is not there is refused (exit 2), each named;
/// `partial` goes on without it, and reports that no part tells of are skipped with that reason.
Result<MergedParts> merge_parts(std::vector<PartFile> given, const PartIdentity& now, const Plan& plan, bool partial);

}  // namespace assay
