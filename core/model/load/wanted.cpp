#include "load/wanted.hpp"

#include <algorithm>

namespace assay::load {

bool WantedColumns::table(ColumnId table) const {
  const auto number = static_cast<unsigned>(table) >> 8;
  return std::any_of(columns_.begin(), columns_.end(),
                     [&](ColumnId id) { return static_cast<unsigned>(id) >> 8 == number; });
}

}  // namespace assay::load
