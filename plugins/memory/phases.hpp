// Memory peaks within the phases of steps and within named ranges.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "classes.hpp"

namespace assay::memory {

/// Peaks of one phase, or of one range by its name.
struct PhasePeaks {
  std::string name;
  std::vector<double> peaks;        ///< bytes, per occurrence
  std::vector<std::int64_t> steps;  ///< step number per occurrence; kNone: in none
};

/// Allocated bytes on a device over time, with a query for the maximum in any interval. Refers to the report, whose
/// history must not be empty.
class Levels {
 public:
  Levels(const Report& report, const DevicePeak& device);

  /// Maximum in [begin, end], ns, including the level at its begin.
  [[nodiscard]] double most(std::int64_t begin, std::int64_t end) const;
  /// ns, of the first and last change on any device.
  [[nodiscard]] std::int64_t begin() const { return changes_.time[0]; }
  [[nodiscard]] std::int64_t end() const { return changes_.time[changes_.rows - 1]; }

 private:
  static constexpr std::size_t kBlock = 64;

  [[nodiscard]] std::size_t row(std::size_t i) const { return rows_.empty() ? i : rows_[i]; }
  [[nodiscard]] double level(std::size_t i) const { return static_cast<double>(changes_.allocated[row(i)]); }
  /// The first change not before a time.
  [[nodiscard]] std::size_t index_at(std::int64_t time) const;
  [[nodiscard]] double most_of(std::size_t first, std::size_t last) const;
  [[nodiscard]] double most_of_few(std::size_t first, std::size_t last) const;

  const AllocationTable& changes_;
  double before_;
  std::vector<std::uint32_t> rows_;  // of the device; empty: all are
  std::size_t size_ = 0;
  std::vector<std::vector<double>> highest_;  // [k][i]: of 2^k blocks starting at block i
};

/// Forward, backward and optimizer of each step, in this order; none without a backward pass. The forward pass begins
/// with the step if no module shows it.
std::vector<PhasePeaks> peaks_of_phases(const Levels& levels, const Steps& steps, const PassBegins& passes);

/// Ranges that are not steps, without numbers at the end of names; the highest peak first, at most `most` names.
std::vector<PhasePeaks> peaks_of_ranges(const Levels& levels, const Steps& steps, const std::vector<Annotation>& ranges,
                                        std::size_t most);

Table phase_table(const std::vector<PhasePeaks>& phases);

}  // namespace assay::memory
