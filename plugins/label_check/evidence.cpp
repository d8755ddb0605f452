#include "evidence.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "assay/algo/kernel_classes.hpp"

namespace assay::labels {
namespace {

/// Whether a name holds one of the words, found out once for each distinct name.
class WordMatch {
 public:
  WordMatch(const Report& report, const std::vector<std::string>& words)
      : report_(report), words_(words), known_(static_cast<std::size_t>(report.strings.size), kUnknown) {}

  bool operator()(StringId name) {
    char& known = known_[name];
    if (known == kUnknown) {
      const std::string text = detail::lower(report_.string(name));
      const auto holds = [&](const std::string& word) { return text.find(word) != std::string::npos; };
      known = std::any_of(words_.begin(), words_.end(), holds) ? 1 : 0;
    }
    return known == 1;
  }

 private:
  static constexpr char kUnknown = 2;
  const Report& report_;
  const std::vector<std::string>& words_;
  std::vector<char> known_;
};

/// Devices of the rows inside the window.
template <class Events>
void add_devices(const Events& events, std::set<std::int32_t>& devices) {
  std::int32_t last = kNone;
  for (std::size_t row = 0; row < events.rows; ++row) {
    if (events.membership[row] != Membership::kInside || events.device[row] == last) continue;
    last = events.device[row];
    devices.insert(last);
  }
}

void add_compiled(const Report& report, const std::vector<std::string>& words, Evidence& evidence) {
  const KernelTable& k = *report.kernels;
  if (!k.name.present()) return;
  WordMatch compiled(report, words);
  std::int64_t count = 0;
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (k.membership[row] == Membership::kInside && compiled(k.name[row])) ++count;
  }
  evidence.compiled_kernels = count;
}

void add_grids(const KernelTable& k, Evidence& evidence) {
  if (!k.grid_x.present() || !k.grid_y.present() || !k.grid_z.present()) return;
  std::unordered_set<std::int64_t> distinct;
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (k.membership[row] != Membership::kInside || k.grid_x[row] <= 0) continue;
    distinct.insert(std::int64_t{k.grid_x[row]} * k.grid_y[row] * k.grid_z[row]);
  }
  evidence.grids.assign(distinct.begin(), distinct.end());
  std::sort(evidence.grids.begin(), evidence.grids.end());
  if (evidence.grids.size() > kMostGrids) evidence.grids.resize(kMostGrids);
}

void add_copies(const CopyTable& c, std::int64_t iterations, Evidence& evidence) {
  if (!c.bytes.present() || !c.direction.present() || iterations == 0) return;
  std::map<std::int64_t, std::int64_t> count_of;  // by bytes of a copy
  for (std::size_t row = 0; row < c.rows; ++row) {
    if (c.membership[row] != Membership::kInside || c.direction[row] != CopyDirection::kHostToDevice) continue;
    if (c.bytes[row] > 0) ++count_of[c.bytes[row]];
  }
  for (const auto& [bytes, count] : count_of) {
    // A pipeline may copy ahead: what is left over belongs to no iteration of the window.
    const std::int64_t of_iteration = bytes * (count / iterations);
    if (of_iteration == 0 || of_iteration < evidence.iteration_bytes.value_or(0)) continue;
    evidence.copy_bytes = bytes;
    evidence.iteration_bytes = of_iteration;
  }
}

}  // namespace

Evidence evidence_of(const Report& report, const std::vector<std::string>& words) {
  Evidence evidence;
  if (report.kernels != nullptr) {
    add_devices(*report.kernels, evidence.devices_used);
    add_compiled(report, words, evidence);
    add_grids(*report.kernels, evidence);
  }
  if (report.graphs != nullptr) add_devices(*report.graphs, evidence.devices_used);
  const auto iterations =
      report.iterations != nullptr ? static_cast<std::int64_t>(report.iterations->rows) : std::int64_t{0};
  if (report.copies != nullptr) add_copies(*report.copies, iterations, evidence);
  for (std::size_t d = 0; d < report.devices->rows; ++d) evidence.devices_listed.insert(report.devices->id[d]);
  return evidence;
}

}  // namespace assay::labels
