// Operands of an operator as a PyTorch trace describes them: shapes, strides, types and scalars.
//
// Source: the texts of the operator table (input_dims, input_types, input_strides, concrete_inputs), which the profiler
// of PyTorch writes with record_shapes=True; one element of each outer list is one input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::roofline {

enum class Element : std::uint8_t {
  kUnknown,
  kFloat64,
  kFloat32,
  kFloat16,
  kBFloat16,
  kFloat8,
  kComplex64,
  kComplex128,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kBool,
};

/// Bytes of one element; 0: not known.
double element_bytes(Element type);
/// "bf16", "fp32", "int64", ...; empty: not known.
std::string_view element_name(Element type);
/// Of a name that element_name gives; kUnknown: none has it.
Element element_named(std::string_view name);
/// "c10::BFloat16", "float", "f32", "long int" and the other spellings of traces.
Element element_of(std::string_view trace_type);
/// Of the numbers that PyTorch gives its scalar types, as concrete inputs hold them ("15" is bf16).
Element element_of_code(std::int64_t scalar_type);
/// The first type of an element that a kernel's name holds; of lists of tensors a trace says no other.
Element element_in_kernel(std::string_view kernel_name);

struct Tensor {
  std::vector<std::int64_t> dims;     ///< none: a single element
  std::vector<std::int64_t> strides;  ///< in elements; none: not said, or a single element
  Element type = Element::kUnknown;

  /// Product of the dims. Numbers of elements and bytes are doubles: exact below 2^53, and never overflow.
  [[nodiscard]] double elements() const;
  /// Elements that lie in memory: dims of stride 0 (an expanded operand) count once.
  [[nodiscard]] double stored() const;
  /// Of `stored`; 0 where the type is not known.
  [[nodiscard]] double bytes() const { return stored() * element_bytes(type); }
};

struct Operand {
  enum class Kind : std::uint8_t { kNothing, kTensor, kList, kScalar };
  Kind kind = Kind::kNothing;
  std::vector<Tensor> tensors;  ///< one, or those of a list
  std::string scalar;           ///< as the trace has it: "True", "0.5", "[1, 1]"; empty: not said

  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// Of "[1, 1]"; of a single number that number.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers() const;
  /// "True" and "False" alone.
  [[nodiscard]] std::optional<bool> flag() const;
};

using Operands = std::vector<Operand>;

/// The texts of one row of ops; `strides` and `concrete` may be empty, where the trace does not have them. Nothing
/// where the texts are not what a trace writes, lengths are negative, or a tensor has more dims than PyTorch's can.
std::optional<Operands> read_operands(std::string_view dims, std::string_view types, std::string_view strides,
                                      std::string_view concrete);

/// "4096x1024, 1024x3072 bf16": shapes of the tensors, the first type of a product's operands behind them, lists by
/// their number ("16 of 1024x1024"). What has no shape is left out.
std::string shapes_text(const Operands& operands);

}  // namespace assay::roofline
