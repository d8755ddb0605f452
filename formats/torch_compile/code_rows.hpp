// Joins the texts of a compilation to rows: kernels with the lines of the model they come from, and line maps.
#pragma once

#include "code_lines.hpp"
#include "tables.hpp"

namespace assay::torch_compile {

/// What is known of a compilation before it is complete.
struct PendingCode {
  CompiledTexts texts;
  NameLists stacks;  ///< tracebacks by kernel, "triton_poi_fused_mul_0:2"
  bool is_mapped = false;
  std::int64_t row = kNone, attempt = kNoCell, age = 0;

  [[nodiscard]] bool has_code() const { return !texts.python_code.empty() || !texts.cpp_code.empty(); }
};

class CodeRows {
 public:
  CodeRows(CompileRows& rows, Tables& texts) : rows_(rows), texts_(texts) {}

  /// Begins anew with a later attempt.
  PendingCode& pending(const std::string& id, std::int64_t row, std::int64_t attempt);
  /// Adds a graph or code. The rows of a graph that is complete are added before, as forward's are before backward's.
  void set_text(PendingCode& code, std::string CompiledTexts::* text, std::string content);
  /// Adds the rows of a compilation. `row`: kNone for the one that it began with.
  void flush(const std::string& id, std::int64_t row = kNone);
  void flush_all() {
    while (!pending_.empty()) flush(pending_.begin()->first);
  }

 private:
  void add_rows(const PendingCode& code);
  void add_mapped(const PendingCode& code);
  void add_kernel(GeneratedKernel kernel, const DefinedKernel& defined, const std::vector<ModelLine>& lines);

  CompileRows& rows_;
  Tables& texts_;
  std::map<std::string, PendingCode> pending_;
  std::int64_t age_ = 0;
};

}  // namespace assay::torch_compile
