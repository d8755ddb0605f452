// A text that is equal for two runs exactly if they requested the same device work, however long it took.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

/// Name of the text attribute of a run, by which its repeat runs are known (equal_runs in algo/participation.hpp).
inline constexpr std::string_view kFingerprint = "fingerprint";

/// Columns that a fingerprint is made of.
inline constexpr ColumnId kFingerprintColumns[] = {
    col::kernels, col::kernel_name, col::kernel_grid,    col::kernel_block, col::graphs,    col::copies,
    col::calls,   col::copy_bytes,  col::copy_direction, col::sets,         col::iterations};

/// `text` or, if the run has none, why not (a clause).
struct Fingerprint {
  std::string text;
  std::string_view unknown;
};

/// "copies=d2h:32000*1,h2d:4816896*1;kernels=130/14:<hash>;sets=6;syncs=stream:0+3;graph_launches=0;per=iteration"
///
/// copies: direction, bytes and count of each distinct (direction, bytes), or for more than kListedCopies of them a
/// hash as for kernels; kernels: count / distinct (name, grid, block), then the hash of "name grid block count" of
/// each, sorted; then counts of sets, of waiting calls by kind, and of graph launches. A count "2+3" is two per
/// iteration and three more once per run, so that a longer run of the same program is equal; without iterations, counts
/// are those of the window and the text ends in per=window.
Fingerprint fingerprint_of(const Report& report);

inline constexpr std::size_t kListedCopies = 8;

}  // namespace assay
