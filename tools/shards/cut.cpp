#include "shards/cut.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

#include "assay/detail/text.hpp"
#include "conclude/study_tables.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kMaxShards = 1'000'000;

/// Files that belong together, each represented by the first of its group.
class Groups {
 public:
  explicit Groups(std::size_t files) : parent_(files) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t first_of(std::size_t file) {
    while (parent_[file] != file) file = parent_[file] = parent_[parent_[file]];
    return file;
  }
  void unite(std::size_t a, std::size_t b) {
    const std::size_t first = first_of(a), second = first_of(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::size_t> parent_;
};

void unite_jobs(const Plan& plan, const Catalog& catalog, std::size_t number, Groups& groups) {
  const QuestionCatalog& found = catalog.questions[number];
  std::vector<ReportResult> reports = provisional_results(catalog, found);
  const StudyTables tables({plan.questions[number], catalog, found, reports}, {}, {});
  const StudyView view(tables.study());
  std::map<std::uint32_t, std::size_t> first;  // by job: one of its files
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const CatalogEntry& entry = found.entries[tables.entry_of(static_cast<Row>(r))];
    groups.unite(first.emplace(view.job(r), entry.file).first->second, entry.file);
  }
}

}  // namespace

std::optional<ShardNumber> shard_number(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = number_in<std::uint64_t>(text.substr(0, slash)),
             of = number_in<std::uint64_t>(text.substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of || *of > kMaxShards) return std::nullopt;
  return ShardNumber{*number, *of};
}

std::vector<std::uint64_t> cut(const Plan& plan, const Catalog& catalog, std::uint64_t shards) {
  Groups groups(catalog.files.size());
  for (std::size_t q = 0; q < catalog.questions.size(); ++q) unite_jobs(plan, catalog, q, groups);

  std::map<std::size_t, std::uint64_t> bytes;  // of a group
  for (std::size_t f = 0; f < catalog.files.size(); ++f) bytes[groups.first_of(f)] += catalog.files[f].size;
  std::vector<std::pair<std::uint64_t, std::size_t>> largest_first;
  for (const auto& [first, size] : bytes) largest_first.emplace_back(size, first);
  std::ranges::stable_sort(largest_first, [](const auto& a, const auto& b) { return a.first > b.first; });

  // The next group goes to the shard with the smallest load.
  using Load = std::pair<std::uint64_t, std::uint64_t>;  // bytes, shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::uint64_t shard = 1; shard <= shards; ++shard) loads.emplace(0, shard);
  std::map<std::size_t, std::uint64_t> shard_of;
  for (const auto& [size, first] : largest_first) {
    const auto [load, shard] = loads.top();
    loads.pop();
    loads.emplace(load + size, shard);
    shard_of[first] = shard;
  }
  std::vector<std::uint64_t> out;
  for (std::size_t f = 0; f < catalog.files.size(); ++f) out.push_back(shard_of[groups.first_of(f)]);
  return out;
}

}  // namespace assay
