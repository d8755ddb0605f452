// Operands of an operator as a trace writes them, of any bytes: read or not, and what every formula makes of them. A
// line each: the operator, Input Dims, Input type, Input Strides, Concrete Inputs.
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "assay/detail/formulas.hpp"

namespace assay::fuzz_of_operands {

using namespace assay::roofline;

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

void check(const FormulaBook::FormulaMatch& formula, const OperatorCall& call) {
  const auto work = formula.work(call);
  if (!work) return;
  for (const double amount : {work->flops, work->computed, work->bytes})
    if (!std::isfinite(amount) || amount < 0) std::abort();
  if (work->computed < work->flops) std::abort();
}

FormulaBook book() {
  std::vector<OwnFormula> own;
  own.emplace_back("my::own | 2 * n0 * d1_0 + dm0_0 * s2 | b0 + b1 + n0 * e0 | matrix");
  return FormulaBook(std::move(own));
}

extern "C" int operands_fuzz(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view name = next_line(rest), dims = next_line(rest), types = next_line(rest);
  const std::string_view strides = next_line(rest), concrete = next_line(rest);
  static const FormulaBook known = book();
  const auto operands = read_operands(dims, types, strides, concrete);
  if (!operands) return 0;
  if (shapes_text(*operands).size() > 4096) std::abort();
  if (const auto formula = known.find(name)) check(*formula, {name, *operands});
  // Whatever the operator is called: each rule has to bear any operands.
  for (const Formula& formula : formulas()) {
    const std::string_view first = formula.operators.substr(0, formula.operators.find_first_of(" *"));
    check(*known.find(first), {first, *operands});
  }
  check(*known.find("my::own"), {"my::own", *operands});
  return 0;
}

}  // namespace assay::fuzz_of_operands
