#include "assay/algo/block_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace assay {

double BlockFit::covariance(Difference a, Difference b) const {
  const auto at = [&](std::size_t i, std::size_t j) { return i == 0 || j == 0 ? 0.0 : unscaled[i - 1][j - 1]; };
  return residual_sd * residual_sd * (at(a.to, b.to) - at(a.to, b.from) - at(a.from, b.to) + at(a.from, b.from));
}

double BlockFit::error(Difference of) const { return std::sqrt(covariance(of, of)); }

namespace detail {

namespace {

// Inverse of a symmetric positive definite matrix by Gauss-Jordan with pivoting; empty when the matrix is singular.
std::vector<std::vector<double>> inverse(std::vector<std::vector<double>> m) {
  const std::size_t n = m.size();
  for (std::size_t i = 0; i < n; ++i) {
    m[i].resize(2 * n, 0.0);
    m[i][n + i] = 1.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r) {
      if (std::abs(m[r][i]) > std::abs(m[pivot][i])) pivot = r;
    }
    if (std::abs(m[pivot][i]) < 1e-9) return {};
    std::swap(m[i], m[pivot]);
    const double divisor = m[i][i];
    for (double& cell : m[i]) cell /= divisor;
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == i ? 0.0 : m[r][i];
      if (factor == 0.0) continue;
      for (std::size_t c = 0; c < 2 * n; ++c) m[r][c] -= factor * m[i][c];
    }
  }
  for (std::vector<double>& row : m) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return m;
}

// Mean of the observations per level and block.
std::vector<BlockObservation> means_of_cells(std::span<const BlockObservation> observations) {
  struct Sum {
    double y = 0, count = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Sum> cells;
  for (const BlockObservation& o : observations) {
    Sum& sum = cells[{o.level, o.block}];
    sum.y += o.y;
    sum.count += 1;
  }
  std::vector<BlockObservation> out;
  for (const auto& [cell, sum] : cells) out.push_back({cell.first, cell.second, sum.y / sum.count});
  return out;
}

// Columns of the normal equations: an indicator per block, then one per level except the first.
class Columns {
 public:
  explicit Columns(std::span<const BlockObservation> observations) {
    std::size_t level_count = 0;
    std::size_t block_count = 0;
    for (const BlockObservation& o : observations) {
      level_count = std::max(level_count, o.level + 1);
      block_count = std::max(block_count, o.block + 1);
    }
    std::vector<std::vector<char>> seen(level_count, std::vector<char>(block_count, 0));
    for (const BlockObservation& o : observations) seen[o.level][o.block] = 1;
    of_level_.resize(level_count, 0);
    for (std::size_t l = 0; l < level_count; ++l) {
      if (std::count(seen[l].begin(), seen[l].end(), 1) < (block_count > 1 ? 2 : 1)) continue;
      of_level_[l] = levels_.size() + 1;
      levels_.push_back(l);
    }
    of_block_.resize(block_count, 0);
    for (std::size_t b = 0; b < block_count; ++b) {
      if (std::any_of(levels_.begin(), levels_.end(), [&](std::size_t l) { return seen[l][b] != 0; }))
        of_block_[b] = ++blocks_;
    }
  }

  const std::vector<std::size_t>& levels() const { return levels_; }  // in more than one block, if there are several
  std::size_t blocks() const { return blocks_; }
  bool uses(const BlockObservation& o) const { return of_level_[o.level] != 0; }

  template <class Visit>
  void for_each_column(const BlockObservation& o, Visit&& visit) const {
    visit(of_block_[o.block] - 1);
    if (of_level_[o.level] > 1) visit(blocks_ + of_level_[o.level] - 2);
  }

 private:
  std::vector<std::size_t> levels_;
  std::vector<std::size_t> of_level_, of_block_;  // 1 is the first of the levels and of the blocks; 0: not used
  std::size_t blocks_ = 0;
};

}  // namespace

}  // namespace detail

BlockFit fit_blocks(std::span<const BlockObservation> runs) {
  const bool several = std::any_of(runs.begin(), runs.end(), [&](const auto& o) { return o.block != runs[0].block; });
  const std::vector<BlockObservation> observations =
      several ? detail::means_of_cells(runs) : std::vector<BlockObservation>(runs.begin(), runs.end());
  const detail::Columns design(observations);
  BlockFit fit;
  fit.levels = design.levels();
  const std::size_t effects = fit.levels.empty() ? 0 : fit.levels.size() - 1;
  const std::size_t columns = design.blocks() + effects;
  if (effects == 0) return {};

  std::vector<std::vector<double>> normal(columns, std::vector<double>(columns, 0.0));
  std::vector<double> moment(columns, 0.0);
  std::size_t used_observations = 0;
  for (const BlockObservation& o : observations) {
    if (!design.uses(o)) continue;
    ++used_observations;
    design.for_each_column(o, [&](std::size_t i) {
      moment[i] += o.y;
      design.for_each_column(o, [&](std::size_t j) { normal[i][j] += 1.0; });
    });
  }
  const std::vector<std::vector<double>> inverse = detail::inverse(std::move(normal));
  if (inverse.empty()) return {};

  std::vector<double> beta(columns, 0.0);
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) beta[i] += inverse[i][j] * moment[j];
  }
  double squares = 0;
  for (const BlockObservation& o : observations) {
    if (!design.uses(o)) continue;
    double residual = o.y;
    design.for_each_column(o, [&](std::size_t i) { residual -= beta[i]; });
    squares += residual * residual;
  }
  fit.degrees = static_cast<std::int64_t>(used_observations) - static_cast<std::int64_t>(columns);
  fit.residual_sd = fit.degrees > 0 ? std::sqrt(squares / static_cast<double>(fit.degrees))
                                    : std::numeric_limits<double>::quiet_NaN();
  fit.effect.assign(1, 0.0);
  fit.effect.insert(fit.effect.end(), beta.begin() + static_cast<std::ptrdiff_t>(design.blocks()), beta.end());
  for (std::size_t i = 0; i < effects; ++i) {
    const auto& row = inverse[design.blocks() + i];
    fit.unscaled.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(design.blocks()), row.end());
  }
  return fit;
}

}  // namespace assay
