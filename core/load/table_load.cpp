#include "load/table_load.hpp"

namespace assay::load {

void TableLoad::take(const Batch& batch) {
  const std::scoped_lock lock(shared_.mutex);
  for (std::size_t c = 0; c < targets_.size(); ++c) targets_[c].append(batch.cells[c].first(batch.rows));
}

void TableLoad::restart() {
  for (const Target& target : targets_) target.clear();
  out_of_range_ = 0;
}

void TableLoad::run(std::vector<Issue>& issues) {
  const std::uint64_t bound = row_bound(source_.db, table_, source_.file_bytes);
  std::vector<ColumnRequest> requests;
  for (const Target& target : targets_) {
    target.reserve(static_cast<std::size_t>(bound));
    requests.push_back(target.request);
  }
  StringPool unused;
  const ReadOutcome outcome =
      read_columns(source_.db, source_.pages, table_, requests, bound, pool_ != nullptr ? *pool_ : unused, *this);
  if (!outcome.refusal.empty()) shared_.note(concat(table_.name, ": ", outcome.refusal));
  const auto odd = static_cast<std::int64_t>(outcome.mistyped) + out_of_range_;
  if (odd > 0) {
    issues.push_back({"bad_cells", Severity::kWarning, odd,
                      concat(odd, " cells of ", table_.name,
                             " hold something else than the number that belongs there; they count as missing.")});
  }
  if (!outcome.damage.empty()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(outcome.rows),
                      concat("Of ", table_.name, " only the first ", outcome.rows,
                             " rows could be read: ", outcome.damage, "; export the report again.")});
  }
}

}  // namespace assay::load
