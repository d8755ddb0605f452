// Which kernels communicate.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// By row of kernels: 1 if it is in the table of collectives; empty without kernels.
inline std::vector<std::uint8_t> communicating_kernels(const Report& report) {
  std::vector<std::uint8_t> communicates(report.kernels == nullptr ? 0 : report.kernels->rows, 0);
  for (std::size_t c = 0; report.collectives != nullptr && c < report.collectives->rows; ++c)
    communicates[static_cast<std::size_t>(report.collectives->kernel[c])] = 1;
  return communicates;
}

}  // namespace assay
