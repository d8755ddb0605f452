// A column of the SDK over a vector of the host.
#pragma once

#include <vector>

#include "assay/report.hpp"

namespace assay {

/// A present column over `values`; present even when there are none.
template <class T>
Column<T> column_of(const std::vector<T>& values) {
  static const T none{};
  return {values.empty() ? &none : values.data(), values.size()};
}

}  // namespace assay
