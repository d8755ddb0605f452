// Rows of the table `source`, from the cubins and results of a .ncu-rep.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/format.hpp"
#include "formats/ncu/cubin.hpp"
#include "formats/ncu/rep_file.hpp"
#include "formats/ncu/source_columns.hpp"

namespace assay::ncu {

class SourceRows {
 public:
  explicit SourceRows(TableSink& out);

  /// Of a file of this size at most one row per 16 bytes is kept, the size of an instruction.
  void begin_file(std::uint64_t bytes);
  /// Keeps a ProfileSource for the results that follow.
  void add_source(std::string_view bytes);
  /// Adds the instructions of a ProfileResult and their counters, if it has any.
  void add_result(std::string_view bytes, StringId kernel, std::int64_t launch, const RepNames& names);
  /// Results with counters of instructions that are left out: their code is missing or damaged.
  [[nodiscard]] std::uint64_t unplaced() const { return unplaced_; }
  void finish();

 private:
  struct Source {
    std::string bytes;
    std::map<std::string, KernelCode, std::less<>> codes;                     ///< by kernel
    std::map<std::string, std::vector<std::string_view>, std::less<>> lines;  ///< by path
    std::string_view line(const std::string& path, std::uint32_t number);
  };
  struct PlaceCells {
    StringId kernel = 0, opcode = 0, file = 0, text = 0;
    std::int64_t launch = kNone, address = kNone, line = 0, waits_for = kNone, not_issued = 0;
  };

  void add_code(Source& source, std::string_view function, PlaceCells cells);
  void add_counter(std::size_t counter, std::string_view metric, std::size_t begin);

  TableSink& out_;
  std::uint64_t left_ = 0, unplaced_ = 0;
  std::unordered_map<std::uint64_t, Source> sources_;           ///< by id
  std::unordered_map<std::string_view, std::size_t> counters_;  ///< by metric
  std::vector<PlaceCells> places_;
  std::vector<std::vector<std::int64_t>> cells_;  ///< by counter
};

}  // namespace assay::ncu
