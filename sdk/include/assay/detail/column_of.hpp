// A column over a vector.
#pragma once

#include <vector>

#include "assay/report.hpp"

namespace assay::detail {

/// A present column over `values`, even if they are empty.
template <class T>
Column<T> column_of(const std::vector<T>& values) {
  static const T none{};
  return {values.empty() ? &none : values.data(), values.size()};
}

}  // namespace assay::detail
