// The most that was allocated in the phases of steps, and while named ranges were open.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "classes.hpp"

namespace assay::memory {

/// Peaks of one phase, or of one range by its name.
struct PhasePeaks {
  std::string name;
  std::vector<double> peaks;        ///< bytes, of each time
  std::vector<std::int64_t> steps;  ///< number of the step of each; kNone: in none
};

/// The level of allocated bytes on a device over time, to be asked for its maximum in any interval. Borrows the report,
/// whose history must not be empty.
class Levels {
 public:
  Levels(const Report& report, const DevicePeak& device);

  /// The most in [begin, end], ns, with what was there at its begin.
  [[nodiscard]] double most(std::int64_t begin, std::int64_t end) const;
  /// ns, of the first and last change on any device.
  [[nodiscard]] std::int64_t begin() const { return changes_.time[0]; }
  [[nodiscard]] std::int64_t end() const { return changes_.time[changes_.rows - 1]; }

 private:
  static constexpr std::size_t kBlock = 64;

  [[nodiscard]] std::size_t row(std::size_t i) const { return rows_.empty() ? i : rows_[i]; }
  [[nodiscard]] double level(std::size_t i) const { return static_cast<double>(changes_.allocated[row(i)]); }
  /// The first change that is not before a time.
  [[nodiscard]] std::size_t index_at(std::int64_t time) const;
  [[nodiscard]] double most_of(std::size_t first, std::size_t last) const;
  [[nodiscard]] double most_of_few(std::size_t first, std::size_t last) const;

  const AllocationTable& changes_;
  double before_;
  std::vector<std::uint32_t> rows_;  // of the device; empty: all are
  std::size_t size_ = 0;
  std::vector<std::vector<double>> highest_;  // [k][i]: of 2^k blocks from block i on
};

/// Forward, backward and optimizer of each step, in this order; none without a backward. The forward begins with the
/// step if no module says when.
std::vector<PhasePeaks> peaks_of_phases(const Levels& levels, const Steps& steps, const PassBegins& passes);

/// Ranges that are no steps, numbers at the end of names left out; the highest peak first, at most `most` names.
std::vector<PhasePeaks> peaks_of_ranges(const Levels& levels, const Steps& steps, const std::vector<Annotation>& ranges,
                                        std::size_t most);

Table phase_table(const std::vector<PhasePeaks>& phases);

}  // namespace assay::memory
