// Lays out the sheets of a question as the columns of its Study.
#pragma once

#include <vector>

#include "assay/study.hpp"
#include "sheets/sheets.hpp"

namespace assay {

/// Borrows the sheets. Not movable: the tables point into it.
class SheetColumns {
 public:
  explicit SheetColumns(const std::vector<OwnedSheet>& sheets);
  SheetColumns(const SheetColumns&) = delete;
  SheetColumns& operator=(const SheetColumns&) = delete;

  void show_in(Study& study) const;

 private:
  void add(const OwnedSheet& sheet);

  std::vector<Str> id_, path_, name_, text_, label_text_;
  std::vector<std::uint64_t> lines_, column_begin_, column_end_, label_begin_, label_end_, cell_begin_, number_begin_,
      number_end_;
  std::vector<double> numbers_, label_order_;
  std::vector<std::uint32_t> label_;
  std::vector<LabelOrigin> label_origin_;

  SheetTable sheets_;
  SheetColumnTable columns_;
  SheetCellTable cells_;
  SheetLabelTable labels_;
};

}  // namespace assay
