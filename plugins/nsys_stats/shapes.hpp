// Grids and blocks as texts, each made once.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "groups.hpp"
#include "made.hpp"

namespace assay::nsys {

class Shapes {
 public:
  Shapes(Column<std::int32_t> x, Column<std::int32_t> y, Column<std::int32_t> z) : x_(x), y_(y), z_(z) {}

  /// Of a row; empty where the export does not say.
  std::string_view of(std::size_t row) {
    if (!x_.present() || !y_.present() || !z_.present()) return {};
    const auto number = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    const std::uint32_t id = ids_.of({number(x_[row]), number(y_[row]), number(z_[row])});
    if (id == texts_.size()) texts_.push_back(shape(x_[row], y_[row], z_[row]));
    return texts_[id];
  }

 private:
  Column<std::int32_t> x_, y_, z_;
  TupleIds<3> ids_;
  std::deque<std::string> texts_;
};

}  // namespace assay::nsys
