// Finds runs with the same labels that ran different programs: at least one of them is mislabelled.
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "assay/words.hpp"
#include "shapes.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// What labels determine in a trace regardless of which kernels a library chooses: runs that differ only in that choice
/// agree.
enum Kind : std::size_t { kBytes, kRows, kWidths, kLaunches, kKinds };
using Signature = std::array<std::string, kKinds>;  ///< empty: unknown from the trace
constexpr std::array<const char*, kKinds> kWords = {
    "bytes copied to the device in an iteration", "blocks of kernels with one block per row",
    "blocks of kernels over rows times width", "launches of kernels with one block per row in an iteration"};

/// "400 and 1,576": the grids that every iteration runs.
std::string numbers(const Grids& grids, std::optional<double> iterations) {
  std::vector<std::string> out;
  for (const auto& [blocks, launches] : grids) {
    if (!iterations || static_cast<double>(launches) >= *iterations) out.push_back(with_commas(blocks));
  }
  return listed(out);
}

Signature signature_of(const Bench& bench, std::size_t report) {
  Signature out;
  if (const auto bytes = bench.fact(report, "label.h2d_bytes")) {
    out[kBytes] = with_commas(static_cast<std::int64_t>(*bytes));
  }
  if (bench.graphs_hide_kernels(report)) return out;
  const auto iterations = bench.fact(report, "iteration.count");
  const Shapes shapes = shapes_of(bench.view(), report);
  if (shapes.compiled) return out;  // which kernels stay unfused is the compiler's choice
  out[kRows] = numbers(shapes.rows, iterations);
  out[kWidths] = numbers(shapes.widths, iterations);
  if (const auto launches = shapes.row_launches(); launches && iterations && *iterations >= 1) {
    out[kLaunches] = printed("%.0f", std::round(static_cast<double>(*launches) / *iterations));
  }
  return out;
}

class Conflicts {
 public:
  Conflicts(Bench& bench, const Rules& rules) : bench_(bench) {
    const auto add = [&](Kind kind, const Expression& rule) {
      for (const std::string& name : rule.names()) {
        if (const auto label = name == kSeenRows ? std::nullopt : bench.view().label(name))
          labels_[kind].insert(*label);
      }
    };
    if (rules.input_bytes) add(kBytes, *rules.input_bytes);
    for (const Expression& rule : rules.grid_rows) add(kRows, rule);
    for (const Expression& rule : rules.grid_widths) add(kWidths, rule);
    if (rules.row_launches) add(kLaunches, *rules.row_launches);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      if (labels_[kind].empty()) labels_[kind] = changing(kind == kBytes ? kChangesCopies : kChangesKernels);
    }
  }

  /// Reports with one set of labels.
  void check(const std::vector<std::size_t>& reports) {
    std::vector<Signature> seen;
    for (const std::size_t r : reports) seen.push_back(signature_of(bench_, r));
    for (std::size_t a = 0; a < reports.size(); ++a) {
      for (std::size_t b = 0; b < reports.size(); ++b) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
          const std::string &own = seen[a][kind], &other = seen[b][kind];
          if (!own.empty() && !other.empty() && own != other) dispute(reports[a], reports[b], kind, own, other);
        }
      }
    }
  }

 private:
  /// Labels that declare what they change and that no rule covers.
  [[nodiscard]] std::set<std::size_t> changing(std::uint32_t bit) const {
    std::set<std::size_t> out;
    for (std::size_t l = 0; l < bench_.labels(); ++l) {
      if ((bench_.changes(l) & bit) != 0 && bench_.view().study().labels->descriptive[l] == 0) out.insert(l);
    }
    return out;
  }

  void dispute(std::size_t report, std::size_t other, std::size_t kind, const std::string& own,
               const std::string& others) {
    for (const std::size_t label : labels_[kind]) {
      bench_.dispute(report, label,
                     filled("{} {}, and {} in {}, which has the same labels: it is unclear which of the two is right",
                            {own, kWords[kind], others, bench_.view().path(other)}));
    }
  }

  Bench& bench_;
  std::array<std::set<std::size_t>, kKinds> labels_;
};

/// Key shared by runs of one program.
std::string key_of(const Bench& bench, std::size_t report) {
  std::string key = bench.folder_of(report);
  for (std::size_t l = 0; l < bench.labels(); ++l) {
    if (bench.view().study().labels->descriptive[l] != 0) continue;
    key += '\0' + std::string(bench.at(report, l).stated ? "=" : "") + std::string(bench.text(report, l));
  }
  return key;
}

bool has_labels(const Bench& bench, std::size_t report) {
  for (std::size_t l = 0; l < bench.labels(); ++l) {
    if (bench.at(report, l).stated && !bench.has_default(report, l)) return true;
  }
  return false;
}

}  // namespace

void check_conflicts(Bench& bench, const Rules& rules) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    // A refuted label is no evidence against others; reports without labels are not runs of one program.
    if (bench.view().is_noise(r) || bench.doubted(r) || !has_labels(bench, r)) continue;
    groups[key_of(bench, r)].push_back(r);
  }
  Conflicts conflicts(bench, rules);
  for (const auto& [key, reports] : groups) conflicts.check(reports);
}

}  // namespace assay::labels
