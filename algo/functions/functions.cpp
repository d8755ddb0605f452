#include "algo/functions/functions.hpp"

#include "algo/functions/function_name.hpp"

namespace assay::functions {
namespace {

constexpr Row kOpen = -2;

/// Owners of names, each read once.
class Owners {
 public:
  explicit Owners(const Report& report) : report_(report), known_(report.strings.size, kNotAsked) {}
  Owner of(StringId name) {
    std::uint8_t& owner = known_[name];
    if (owner == kNotAsked) owner = static_cast<std::uint8_t>(owner_of(read_function_name(report_.string(name))));
    return static_cast<Owner>(owner);
  }

 private:
  static constexpr std::uint8_t kNotAsked = 0xFF;
  const Report& report_;
  std::vector<std::uint8_t> known_;
};

}  // namespace

Functions::Functions(const Report& report)
    : report_(report), changes_(find_innermost(), report.threads->rows, [&](std::size_t r) {
        return innermost_[r] == static_cast<Row>(r);
      }) {
  if (innermost_.empty()) return;
  find_helpers();
  for (std::size_t s = 0; report.steps != nullptr && s < report.steps->rows; ++s) steps_.insert(report.steps->range[s]);
}

const OpTable* Functions::find_innermost() {
  if (report_.ops == nullptr) return nullptr;
  const OpTable& ops = *report_.ops;
  const auto rows = static_cast<std::size_t>(ops.rows);
  std::size_t first = 0;
  while (first < rows && ops.kind[first] != OpKind::kPythonFunction) ++first;
  if (first == rows) return nullptr;
  Owners owners(report_);
  innermost_.assign(rows, kOpen);
  std::vector<std::size_t> open;
  for (std::size_t r = 0; r < rows; ++r) {
    for (auto at = static_cast<Row>(r); at >= 0 && innermost_[static_cast<std::size_t>(at)] == kOpen;
         at = ops.parent[at])
      open.push_back(static_cast<std::size_t>(at));
    for (; !open.empty(); open.pop_back()) {
      const std::size_t row = open.back();
      const Row parent = ops.parent[row];
      const Row around = parent < 0 ? Row{kNone} : innermost_[static_cast<std::size_t>(parent)];
      const Owner owner = ops.kind[row] == OpKind::kPythonFunction ? owners.of(ops.name[row]) : Owner::kInterpreter;
      const bool stands = owner == Owner::kProgram || (owner == Owner::kLibrary && around < 0);
      innermost_[row] = stands ? static_cast<Row>(row) : around;
    }
  }
  return &ops;
}

Row Functions::caller(Row row) const {
  const OpTable& ops = *report_.ops;
  Row up = row;
  do {
    const Row parent = ops.parent[up];
    up = parent < 0 ? Row{kNone} : innermost_[static_cast<std::size_t>(parent)];
  } while (up >= 0 && ops.name[up] == ops.name[row]);
  return up;
}

Row Functions::owner_of(Row row) const {
  for (Row up = row; row >= 0 && helpers_.contains(report_.ops->name[row]) && (up = caller(row)) >= 0;) row = up;
  return row;
}

bool Functions::is_within(Row function, Row range) const {
  return range < 0 || steps_.contains(range) || report_.ops->start[function] > report_.ranges->start[range];
}

void Functions::find_helpers() {
  const OpTable& ops = *report_.ops;
  std::map<StringId, std::int64_t> times;
  std::map<std::pair<StringId, StringId>, std::int64_t> under;  // function, caller
  for (std::size_t r = 0; r < innermost_.size(); ++r) {
    const auto row = static_cast<Row>(r);
    if (innermost_[r] != row) continue;
    const Row parent = ops.parent[r], around = parent < 0 ? Row{kNone} : innermost_[static_cast<std::size_t>(parent)];
    if (around >= 0 && ops.name[around] == ops.name[r]) continue;  // recursion
    const std::int64_t time = ops.end[r] - ops.start[r];
    times[ops.name[r]] += time;
    if (around >= 0) under[{ops.name[r], ops.name[around]}] += time;
  }
  helpers_ = helpers_of(times, under);
}

std::string function_text(const Report& report, Row row) {
  return row < 0 ? std::string() : text_of(read_function_name(report.string(report.ops->name[row])));
}

}  // namespace assay::functions
