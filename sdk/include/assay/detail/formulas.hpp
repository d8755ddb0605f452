// What an operator has to compute and to move at least, from its operands: one table of formulas that a person can
// check (plugins/operator_roofline/formulas.md prints it).
//
// FLOPs: a multiplication and an addition are two. Least bytes: each operand read or written once, whatever the caches
// do; an expanded operand as often as it lies in memory. Times that follow are lower bounds, so what cannot be told
// exactly is left out rather than guessed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/detail/operands.hpp"

namespace assay::roofline {

/// What one call of an operator has to do.
struct Work {
  double flops = 0;                  ///< of the model: recomputation does not count
  double computed = 0;               ///< with what the algorithm computes again; at least `flops`
  double bytes = 0;                  ///< least
  bool flops_known = true;           ///< false: only the operands are known (compiled kernels)
  bool matrix = false;               ///< matrix units can do it: products, attention, convolutions
  Element math = Element::kFloat32;  ///< of the operands that are multiplied, where `matrix`
};

/// What the sequences of a step of a server attend to, summed over them.
struct AttendedTokens {
  double queries = 0, keys = 0;
  double pairs = 0;  ///< of a query and a key that it sees; the last query of a sequence sees all of its keys
};

/// Of the name that vLLM and others give a step:
/// "execute_40_context_1(sq8sk8sqsq64sqsk64)_generation_32(sq32sk55086...)", whose sums are of queries, keys, squares
/// of queries and products, for prompts and for decodes. Nothing: no such sums.
std::optional<AttendedTokens> attended_tokens(std::string_view name);

/// One call of an operator.
struct OperatorCall {
  std::string_view name;
  const Operands& in;
  std::optional<AttendedTokens> attended = {};  ///< by the range around it

  /// The tensor that input `i` is, or null.
  [[nodiscard]] const Tensor* tensor(std::size_t i) const;
  /// The list of tensors that input `i` is; empty: none.
  [[nodiscard]] std::span<const Tensor> list(std::size_t i) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t i) const;
  [[nodiscard]] std::optional<bool> flag(std::size_t i) const;
  /// A list of numbers of `n` elements; a single one stands for all of them.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t i, std::size_t n) const;
};

/// Nothing where the operands that were recorded do not tell.
using Rule = std::optional<Work> (*)(const OperatorCall& call);

/// One row of the table.
struct Formula {
  std::string_view operators;  ///< names, by blanks; one that ends with '*' stands for all that begin like it
  std::string_view kind;       ///< what people call it: "matrix product"
  std::string_view flops, bytes, source, fails;  ///< as people read them; `fails`: when it does not hold
  Rule rule;
};

/// The formulas that assay has.
std::span<const Formula> formulas();

/// A formula of one's own, without compiling. Names: n0 elements of input 0, b0 its bytes, e0 bytes of one element,
/// d0_1 its length along dim 1 (dm0_1: counted from the last), s3 the whole number that is input 3.
class OwnFormula {
 public:
  /// "my::fused_mlp | 2 * n0 * d1_0 | b0 + b1 + n0 * e0" and, optionally, "| matrix". Throws std::invalid_argument with
  /// a sentence that says what was expected.
  explicit OwnFormula(std::string_view text);
  ~OwnFormula();
  OwnFormula(OwnFormula&&) noexcept;
  OwnFormula& operator=(OwnFormula&&) noexcept;

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::optional<Work> work(const OperatorCall& call) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Looks operators up by name: own formulas first.
class FormulaBook {
 public:
  explicit FormulaBook(std::vector<OwnFormula> own = {});

  struct FormulaMatch {
    std::string_view kind;
    Rule rule = nullptr;
    const OwnFormula* own = nullptr;
    /// Nothing either for operands so large that no device holds them.
    [[nodiscard]] std::optional<Work> work(const OperatorCall& call) const;
  };
  /// Nothing where no formula has the name.
  [[nodiscard]] std::optional<FormulaMatch> find(std::string_view name) const;

 private:
  std::vector<OwnFormula> own_;
  std::unordered_map<std::string_view, const Formula*> by_name_;
  std::vector<std::pair<std::string_view, const Formula*>> by_beginning_;
};

}  // namespace assay::roofline
