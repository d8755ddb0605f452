#include "shards/merge_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyze/stored_output.hpp"

namespace assay {
namespace {

std::string in_quotes(const std::string& file) { return "'" + file + "'"; }

bool same_result(const ShardPart& a, const ShardPart& b) {
  return std::ranges::equal(a.results, b.results, [](const PartResult& left, const PartResult& right) {
    return left.question == right.question && left.entry == right.entry &&
           to_bytes(left.result) == to_bytes(right.result);
  });
}

/// The study that most parts have; of equally frequent ones that of the lowest shard.
const std::string& common_study(const std::map<std::uint64_t, std::vector<PartFile*>>& by_shard) {
  std::map<std::string_view, std::size_t> count;
  const std::string* best = nullptr;
  for (const auto& [shard, parts] : by_shard) {
    for (const PartFile* one : parts) ++count[one->part->study];
  }
  for (const auto& [shard, parts] : by_shard) {
    for (const PartFile* one : parts) {
      if (best == nullptr || count[one->part->study] > count[*best]) best = &one->part->study;
    }
  }
  return *best;
}

/// Parts that can be used, by shard; reports the others.
std::map<std::uint64_t, std::vector<PartFile*>> usable_parts(std::vector<PartFile>& given, const PartIdentity& now,
                                                             MissingParts& missing) {
  std::map<std::uint64_t, std::vector<PartFile*>> usable;
  for (PartFile& one : given) {
    const std::string why = one.part ? identity_difference(one.part->identity, now) : one.part.error().sentence;
    if (why.empty())
      usable[one.part->shard.number].push_back(&one);
    else
      missing.push_back(in_quotes(one.file) + " " + why);
  }
  if (usable.empty()) return usable;
  const std::string study = common_study(usable);
  for (auto& [shard, parts] : usable) {
    std::erase_if(parts, [&](const PartFile* one) {
      if (one->part->study == study) return false;
      missing.push_back(in_quotes(one->file) + " saw other profiles than the other shards, or other labels");
      return true;
    });
  }
  std::erase_if(usable, [](const auto& shard) { return shard.second.empty(); });
  return usable;
}

void list_absent(const std::map<std::uint64_t, std::vector<PartFile*>>& usable, std::uint64_t shards,
                 MissingParts& missing) {
  constexpr std::size_t kNamed = 20;
  const std::uint64_t count = shards - usable.size();
  if (count == 0) return;
  std::vector<std::string> absent;
  for (std::uint64_t shard = 1; shard <= shards && absent.size() < kNamed; ++shard) {
    if (!usable.contains(shard)) absent.push_back(ShardNumber{shard, shards}.str());
  }
  missing.push_back((count == 1 ? "shard " : "shards ") + fmt::format("{}", fmt::join(absent, ", ")) +
                    (count > kNamed ? " and " + std::to_string(count - kNamed) + " more" : "") +
                    (count == 1 ? " is missing" : " are missing"));
}

ReportResult not_in_any_part(const std::string& report, const ShardNumber& shard) {
  ReportResult result;
  result.skips.push_back(
      {report, "", "shard " + shard.str() + ", which read this profile, is not among the parts", true});
  return result;
}

class Merge {
 public:
  Merge(MergedParts& merged, const Plan& plan) : merged_(merged), plan_(plan) {
    for (const QuestionCatalog& question : merged.study.catalog.questions) {
      merged.analysis.questions.emplace_back(question.entries.size());
      filled_.emplace_back(question.entries.size(), 0);
    }
  }

  /// False if it refers to something outside of the catalog, or to one report twice.
  bool add(ShardPart& part) {
    for (PartResult& one : part.results) {
      if (one.question >= filled_.size() || one.entry >= filled_[one.question].size()) return false;
      char& filled = filled_[one.question][one.entry];
      if (filled != 0) return false;
      filled = 1;
      merged_.analysis.questions[one.question][one.entry] = std::move(one.result);
    }
    return true;
  }

  void list_unread(std::uint64_t shards) {
    const Catalog& catalog = merged_.study.catalog;
    const std::vector<std::uint64_t> shard_of = cut(plan_, catalog, shards);
    std::set<std::size_t> unread;
    for (std::size_t q = 0; q < filled_.size(); ++q) {
      for (std::size_t e = 0; e < filled_[q].size(); ++e) {
        if (filled_[q][e] != 0) continue;
        const std::size_t file = catalog.questions[q].entries[e].file;
        unread.insert(file);
        merged_.analysis.questions[q][e] = not_in_any_part(catalog.files[file].name, {shard_of[file], shards});
      }
    }
    merged_.unread = unread.size();
  }

 private:
  MergedParts& merged_;
  const Plan& plan_;
  std::vector<std::vector<char>> filled_;
};

}  // namespace

Result<const ShardPart*> first_part(const std::vector<PartFile>& given) {
  const PartFile* first = nullptr;
  for (const PartFile& one : given) {
    if (!one.part) continue;
    if (first == nullptr) first = &one;
    const PartIdentity& own = first->part->identity;
    const PartIdentity& its = one.part->identity;
    if (its.questions != own.questions || its.configurations != own.configurations) {
      const bool renamed = its.questions != own.questions;
      return Error{fmt::format("{} is a part of another question than {} ({})", in_quotes(one.file),
                               in_quotes(first->file),
                               renamed ? fmt::format("{}", fmt::join(its.questions, ", ")) + " instead of " +
                                             fmt::format("{}", fmt::join(own.questions, ", "))
                                       : "its configuration differs")}
          .at(one.file)
          .advise("name parts of one question");
    }
    if (one.part->shard.of != first->part->shard.of) {
      return Error{fmt::format("{} is shard {} and {} shard {}", in_quotes(one.file), one.part->shard.str(),
                               in_quotes(first->file), first->part->shard.str())}
          .at(one.file)
          .advise("name parts of the same run");
    }
  }
  if (first != nullptr) return &*first->part;
  std::vector<std::string> why;
  for (const PartFile& one : given) why.push_back(in_quotes(one.file) + " " + one.part.error().sentence);
  return Error{"no part can be merged: " + fmt::format("{}", fmt::join(why, ", "))}.advise(
      "make parts with 'assay run ... --shard K/N -o PARTS'");
}

Result<MergedParts> merge_parts(std::vector<PartFile> given, const PartIdentity& now, const Plan& plan, bool partial) {
  const auto first = first_part(given);
  if (!first) return first.error();
  const std::uint64_t shards = (*first)->shard.of;
  std::ranges::stable_sort(given, {}, &PartFile::file);
  MergedParts merged;
  const auto usable = usable_parts(given, now, merged.missing);
  for (const auto& [shard, parts] : usable) {
    for (const PartFile* other : parts) {
      if (same_result(*parts.front()->part, *other->part)) continue;
      return Error{fmt::format("{} and {} are both shard {} but differ", in_quotes(parts.front()->file),
                               in_quotes(other->file), parts.front()->part->shard.str())}
          .at(parts.front()->file)
          .advise("leave out the wrong one");
    }
  }
  list_absent(usable, shards, merged.missing);
  if (!merged.missing.empty() && (!partial || usable.empty())) {
    return Error{fmt::format("{}", fmt::join(merged.missing, "; ")) + ": make these parts again" +
                 (usable.empty() ? "" : ", or merge the others with --partial")};
  }
  ShardPart& one = *usable.begin()->second.front()->part;
  std::optional<FoundStudy> study = study_from_bytes(one.study);
  if (!study || study->catalog.questions.size() != plan.questions.size())
    return Error{in_quotes(usable.begin()->second.front()->file) + " holds no catalog"}.advise("make the parts again");
  merged.study = *std::move(study);
  merged.journals = one.journals;
  Merge merge(merged, plan);
  for (const auto& [shard, parts] : usable) {
    if (!merge.add(*parts.front()->part))
      return Error{in_quotes(parts.front()->file) + " has profiles that are also in other parts"}.advise(
          "make the parts again");
  }
  merge.list_unread(shards);
  return merged;
}

}  // namespace assay
