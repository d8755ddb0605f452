// Operands of an operator as described in a PyTorch trace: shapes, strides, types and scalars.
//
// Source: the texts of the operator table (input_dims, input_types, input_strides, concrete_inputs), which PyTorch's
// profiler writes with record_shapes=True; one element of each outer list per input.
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

/// Bytes of one element; 0: unknown.
double element_bytes(Element type);
/// "bf16", "fp32", "int64", ...; empty: unknown.
std::string_view element_name(Element type);
/// Inverse of element_name; kUnknown for other names.
Element element_named(std::string_view name);
/// From "c10::BFloat16", "float", "f32", "long int" and other spellings in traces.
Element element_of(std::string_view trace_type);
/// From PyTorch's numbers of scalar types, as in concrete inputs ("15" is bf16).
Element element_of_code(std::int64_t scalar_type);
/// The first element type in a kernel's name; for lists of tensors a trace has no other.
Element element_in_kernel(std::string_view kernel_name);

struct Tensor {
  std::vector<std::int64_t> dims;     ///< empty: a single element
  std::vector<std::int64_t> strides;  ///< in elements; empty: unknown, or a single element
  Element type = Element::kUnknown;

  /// Product of the dims. Counts of elements and bytes are doubles: exact below 2^53, and never overflow.
  [[nodiscard]] double elements() const;
  /// Elements in memory: dims with stride 0 (an expanded operand) count once.
  [[nodiscard]] double stored() const;
  /// Bytes of `stored`; 0 if the type is unknown.
  [[nodiscard]] double bytes() const { return stored() * element_bytes(type); }
};

struct Operand {
  enum class Kind : std::uint8_t { kNothing, kTensor, kList, kScalar };
  Kind kind = Kind::kNothing;
  std::vector<Tensor> tensors;  ///< one, or those of a list
  std::string scalar;           ///< as in the trace: "True", "0.5", "[1, 1]"; empty: unknown

  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// From "[1, 1]", or a single number.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers() const;
  /// From "True" and "False" only.
  [[nodiscard]] std::optional<bool> flag() const;
};

using Operands = std::vector<Operand>;

/// Parses the texts of one row of ops; `strides` and `concrete` may be empty, if the trace lacks them. Empty if the
/// texts are malformed, lengths are negative, or a tensor has more dims than PyTorch permits.
std::optional<Operands> read_operands(std::string_view dims, std::string_view types, std::string_view strides,
                                      std::string_view concrete);

/// "4096x1024, 1024x3072 bf16": shapes of the tensors, then the first type of a product's operands; lists by number
/// ("16 of 1024x1024"). Omits inputs without shape.
std::string shapes_text(const Operands& operands);

}  // namespace assay::roofline
