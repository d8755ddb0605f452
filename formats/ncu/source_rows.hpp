// Rows of the table `source`, from the cubins and results of a .ncu-rep or from the source page as CSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
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

  /// Of this file at most one row per 16 bytes is kept, the size of an instruction.
  void begin_file(const std::filesystem::path& file);

  /// Keeps a ProfileSource for the results that follow.
  void add_source(std::string_view bytes);
  /// Adds the instructions of a ProfileResult and their counters, if it has any.
  void add_result(std::string_view bytes, StringId kernel, std::int64_t launch, const RepNames& names);
  /// Takes over a row of the source page, or its head; false if the row is neither.
  bool add_text_row(std::span<const std::string> cells);

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// Results with counters of instructions that are left out: their cubin is missing or damaged.
  [[nodiscard]] std::uint64_t unplaced() const { return unplaced_; }
  void finish();

 private:
  struct Source {
    std::string bytes;
    std::map<std::string, KernelCode, std::less<>> codes;
    std::map<std::string, std::vector<std::string_view>, std::less<>> lines;  ///< of files, by path
    std::string_view line(const std::string& path, std::uint32_t number);
  };
  struct PlaceCells {
    StringId kernel = 0, instruction = 0, opcode = 0, file = 0, text = 0, space = 0, access = 0;
    std::int64_t launch = kNone, address = kNone, line = kNoCell, waits_for = kNone, not_issued = kNoCell;
  };

  void add_code(Source& source, std::string_view function, PlaceCells cells);
  void add_counter(std::size_t counter, std::string_view metric, std::size_t begin);

  TableSink& out_;
  std::uint64_t left_ = 0;
  std::unordered_map<std::uint64_t, Source> sources_;
  std::unordered_map<std::string_view, std::size_t> counters_;  ///< by metric, then memory_type and memory_access_type
  std::vector<PlaceCells> places_;
  std::vector<std::vector<std::int64_t>> cells_;  ///< by counter
  PlaceCells page_;                               ///< what the rows of a source page have in common
  std::vector<std::size_t> headings_;  ///< of a source page: the counter of each column, or a cell that is none
  std::uint64_t unplaced_ = 0;
};

}  // namespace assay::ncu
