#include "operator_work.hpp"

#include <algorithm>
#include <cctype>

#include "wire.hpp"

namespace assay::xplane {
namespace {

constexpr std::string_view kProduct = "matrix product", kConvolution = "convolution", kAttention = "attention";

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::ranges::find(words, word) != std::end(words);
}

/// One operation per element of the result.
bool is_arithmetic(std::string_view opcode) {
  constexpr std::string_view kArithmetic[] = {"abs",
                                              "add",
                                              "atan2",
                                              "cbrt",
                                              "ceil",
                                              "cosine",
                                              "divide",
                                              "erf",
                                              "exponential",
                                              "exponential-minus-one",
                                              "floor",
                                              "log",
                                              "log-plus-one",
                                              "logistic",
                                              "maximum",
                                              "minimum",
                                              "multiply",
                                              "negate",
                                              "power",
                                              "remainder",
                                              "round-nearest-afz",
                                              "round-nearest-even",
                                              "rsqrt",
                                              "sign",
                                              "sine",
                                              "sqrt",
                                              "subtract",
                                              "tan",
                                              "tanh"};
  return is_one_of(opcode, kArithmetic);
}

/// Instructions that compute nothing.
bool only_moves(std::string_view opcode) {
  constexpr std::string_view kMoves[] = {"bitcast",
                                         "bitcast-convert",
                                         "broadcast",
                                         "concatenate",
                                         "constant",
                                         "convert",
                                         "copy",
                                         "dynamic-slice",
                                         "dynamic-update-slice",
                                         "fusion",
                                         "gather",
                                         "get-tuple-element",
                                         "iota",
                                         "pad",
                                         "parameter",
                                         "reshape",
                                         "reverse",
                                         "scatter",
                                         "slice",
                                         "transpose",
                                         "tuple"};
  return is_one_of(opcode, kMoves);
}

/// Instructions whose work does not follow from their shapes.
bool is_unknown(std::string_view opcode) {
  constexpr std::string_view kUnknown[] = {"while",    "conditional",      "call", "sort", "topk",   "rng",    "fft",
                                           "cholesky", "triangular-solve", "send", "recv", "infeed", "outfeed"};
  return is_one_of(opcode, kUnknown) || opcode.starts_with("all-") || opcode.starts_with("collective-") ||
         opcode.starts_with("reduce-scatter") || opcode.starts_with("ragged-") || opcode.starts_with("rng-") ||
         opcode.ends_with("-start") || opcode.ends_with("-done");
}

/// Numbers of `"key":["1","2"]` after the first `section` of a JSON text; empty if there is no such list.
std::optional<std::vector<std::int64_t>> listed(std::string_view json, std::string_view section, std::string_view key) {
  const std::size_t begin = json.find(section);
  const std::size_t at = begin == std::string_view::npos ? begin : json.find(key, begin);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t open = json.find('[', at), close = json.find(']', at);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  std::vector<std::int64_t> numbers;
  bool inside = false;
  for (const char c : json.substr(open, std::min<std::size_t>(close - open, 1024))) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !inside) numbers.push_back(0);
    if (digit && numbers.back() < 1'000'000) numbers.back() = 10 * numbers.back() + (c - '0');
    inside = digit;
  }
  return numbers;
}

/// Product of the lengths along `dims`; empty if the array lacks one of them.
std::optional<double> lengths(const HloArray& array, const std::vector<std::int64_t>& dims) {
  double product = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || static_cast<std::size_t>(dim) >= array.dims.size()) return std::nullopt;
    product *= static_cast<double>(array.dims[static_cast<std::size_t>(dim)]);
  }
  return product;
}

/// 2 x elements of the output x elements of the kernel for each of its output features; groups divide the kernel.
std::optional<double> convolution_flops(const ModuleInstruction& of, const HloArray* kernel, const HloArray* output) {
  if (kernel == nullptr || output == nullptr) return std::nullopt;
  const std::vector<std::int64_t> feature = numbers_of(of.convolution, 4);
  const auto features = lengths(*kernel, {feature.empty() ? 0 : feature.front()});
  if (!features || *features <= 0) return std::nullopt;
  return 2 * output->elements() * kernel->elements() / *features;
}

}  // namespace

const HloArray* WorkRules::operand(const ModuleInstruction& of, std::size_t number) const {
  const ModuleInstruction* const operand = module_.operand(of, number);
  return operand == nullptr || operand->results.size() != 1 ? nullptr : &operand->results.front();
}

std::string_view WorkRules::arithmetic_of(std::uint32_t type, std::string_view precision) const {
  const std::string_view name = type_name(type);
  if (name.starts_with("f8")) return "fp8";
  if (name == "bf16") return "bf16";
  if (name == "f16") return "fp16";
  if (name == "f64" || name == "c128") return "fp64";
  if (name == "s8" || name == "u8") return "int8";
  if (name != "f32" && name != "c64") return {};
  constexpr std::int64_t kHighest = 2, kBf16 = 5, kBf16X6 = 8, kTf32 = 9, kTf32X3 = 10, kBf16X9 = 13;
  const std::vector<std::int64_t> algorithm = numbers_of(precision, 2), asked = numbers_of(precision, 1);
  if (const std::int64_t is = algorithm.empty() ? 0 : algorithm.front(); is != 0) {
    if ((is >= kBf16 && is <= kBf16X6) || is == kBf16X9) return "bf16";
    return is == kTf32 || is == kTf32X3 ? "tf32" : "fp32";
  }
  return tf32_ && std::ranges::find(asked, kHighest) == asked.end() ? "tf32" : "fp32";
}

std::optional<WorkRules::MatrixWork> WorkRules::product_work(const ModuleInstruction& of,
                                                             const std::vector<std::int64_t>& contracted,
                                                             std::string_view precision) const {
  const HloArray *const left = operand(of, 0), *const right = operand(of, 1);
  const auto length = left == nullptr ? std::nullopt : lengths(*left, contracted);
  if (!length || of.results.empty()) return std::nullopt;
  // Operands of two types are multiplied in the wider one: f32 and bf16 as f32.
  const auto width = [](const HloArray& array) { return HloArray{array.type, {}}.bytes(); };
  const HloArray& wider = right != nullptr && width(*right) > width(*left) ? *right : *left;
  return MatrixWork{2 * of.results.front().elements() * *length, kProduct, arithmetic_of(wider.type, precision)};
}

/// Operands and result for the three directions: input and kernel, output and kernel, input and output.
std::optional<WorkRules::MatrixWork> WorkRules::convolution_call_work(const ModuleInstruction& call) const {
  if (call.results.empty()) return std::nullopt;
  const HloArray *kernel = operand(call, 1), *output = &call.results.front();
  if (call.target.find("BackwardInput") != std::string_view::npos) output = operand(call, 0);
  if (call.target.find("BackwardFilter") != std::string_view::npos) {
    kernel = output;
    output = operand(call, 1);
  }
  const auto flops = convolution_flops(call, kernel, output);
  if (!flops) return std::nullopt;
  return MatrixWork{*flops, kConvolution, arithmetic_of(operand(call, 0) == nullptr ? 0 : operand(call, 0)->type, {})};
}

/// From query, key and value and the dimension numbers of the first product (query with key). Causal: the unmasked half
/// of a square. Backward: four products of the model, ignoring recomputation.
std::optional<WorkRules::MatrixWork> WorkRules::attention_work(const ModuleInstruction& call) const {
  constexpr std::string_view kFirst = "bmm1_dot_dimension_numbers";
  const HloArray *query = operand(call, 0), *key = operand(call, 1), *value = operand(call, 2);
  const auto batch = listed(call.config, kFirst, "lhs_batch_dimensions");
  const auto contracted = listed(call.config, kFirst, "lhs_contracting_dimensions");
  const auto key_batch = listed(call.config, kFirst, "rhs_batch_dimensions");
  if (query == nullptr || key == nullptr || value == nullptr || !batch || !contracted || !key_batch)
    return std::nullopt;
  const auto heads = lengths(*query, *batch), width = lengths(*query, *contracted), keys = lengths(*key, *key_batch);
  if (!heads || !width || !keys || *heads <= 0 || *width <= 0 || *keys <= 0) return std::nullopt;
  const double rows = query->elements() / (*heads * *width), columns = key->elements() / (*keys * *width);
  const double value_width = columns > 0 ? value->elements() / (*keys * columns) : 0;
  const bool backward = call.target.find("Backward") != std::string_view::npos;
  const bool causal = call.config.find("CAUSAL") != std::string_view::npos;
  const double visible = causal && rows == columns ? rows * (rows + 1) / 2 : rows * columns;
  return MatrixWork{2 * *heads * visible * (*width + value_width) * (backward ? 2 : 1), kAttention,
                    arithmetic_of(query->type, {})};
}

std::optional<WorkRules::MatrixWork> WorkRules::call_work(const ModuleInstruction& call) const {
  if (call.target.find("fmha") != std::string_view::npos) return attention_work(call);
  if (call.target.starts_with("__cudnn$conv")) return convolution_call_work(call);
  if (call.target != "__cublas$gemm" && !call.target.starts_with("__cublas$lt$matmul")) return std::nullopt;
  const auto contracted = listed(call.config, "dot_dimension_numbers", "lhs_contracting_dimensions");
  if (!contracted) return std::nullopt;
  // Its precision is in JSON rather than a message: HIGHEST if an f32 product must not run as TF32.
  const bool highest = call.config.find("HIGHEST") != std::string_view::npos;
  constexpr std::string_view kHighest{"\x08\x02", 2};  // PrecisionConfig.operand_precision
  return product_work(call, *contracted, highest ? kHighest : std::string_view());
}

const WorkRules::ComputationWork& WorkRules::computation_work(std::int64_t id) {
  constexpr int kDeepest = 16;                             // XLA nests fusions two levels deep
  const auto [at, fresh] = computations_.try_emplace(id);  // recursion: a computation inside itself counts as no work
  const ModuleComputation* const computation = module_.computation(id);
  if (!fresh || computation == nullptr || depth_ == kDeepest) return at->second;
  ComputationWork work;
  ++depth_;
  for (const ModuleInstruction& instruction : computation->instructions) add_work(instruction, work);
  --depth_;
  return computations_[id] = work;
}

/// FLOPs outside the matrix units, without those of nested fusions.
double WorkRules::vector_flops(const ModuleInstruction& of, ComputationWork& to) {
  if (of.results.empty() || !of.results.front().is_real()) return 0;
  const double elements = of.results.front().elements();
  if (is_arithmetic(of.opcode)) {
    ++to.operations;
    return elements;
  }
  const bool reduces = of.opcode == "reduce" || of.opcode == "reduce-window" || of.opcode == "select-and-scatter";
  if (of.called.empty() || (!reduces && of.opcode != "scatter" && of.opcode != "map")) return 0;
  to.reduces = to.reduces || reduces;
  const double each = computation_work(of.called.back()).operations;
  const HloArray* const input =
      operand(of, of.opcode == "scatter" && of.operands.size() > 2 ? of.operands.size() - 1 : 0);
  if (input == nullptr) return 0;
  if (of.opcode != "reduce-window") return each * std::max(input->elements() - (reduces ? elements : 0), 0.0);
  double window = 1;
  each_field(of.window, [&](const Field& field) {
    if (!field.is_bytes(1)) return;
    for (const std::int64_t length : numbers_of(field.bytes, 1))
      window *= static_cast<double>(std::max<std::int64_t>(length, 1));
  });
  return each * elements * (window - 1);
}

void WorkRules::add_work(const ModuleInstruction& of, ComputationWork& to) {
  std::optional<MatrixWork> matrix;
  if (of.opcode == "dot" || of.opcode == "scaled-dot") matrix = product_work(of, numbers_of(of.dot, 1), of.precision);
  if (of.opcode == "custom-call") matrix = call_work(of);
  if (of.opcode == "convolution" && !of.results.empty()) {
    const HloArray* const kernel = operand(of, 1);
    if (const auto flops = convolution_flops(of, kernel, &of.results.front()))
      matrix = MatrixWork{*flops, kConvolution, arithmetic_of(kernel->type, of.precision)};
  }
  if (of.opcode == "fusion" && !of.called.empty()) {
    const ComputationWork inside = computation_work(of.called.front());
    to.flops += inside.flops;
    to.operations += inside.operations;
    to.reduces = to.reduces || inside.reduces;
    to.computes = to.computes || inside.computes;
    if (inside.matrix.flops > 0) matrix = inside.matrix;
  }
  to.flops += vector_flops(of, to);
  to.computes = to.computes || !only_moves(of.opcode);
  if (!matrix) return;
  if (to.matrix.kind.empty() || matrix->flops > to.matrix.flops) {
    to.matrix.kind = matrix->kind;
    to.matrix.arithmetic = matrix->arithmetic;
  }
  to.matrix.flops += matrix->flops;
}

void WorkRules::describe_operands(const ModuleInstruction& instruction, OperatorWork& to) const {
  const auto add = [](std::string& list, const std::string& element) { list += (list.empty() ? "[" : ", ") + element; };
  for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
    const HloArray* const array = operand(instruction, o);
    if (array == nullptr) continue;
    std::string dims;
    for (const std::int64_t length : array->dims) dims += (dims.empty() ? "" : ", ") + std::to_string(length);
    add(to.dims, "[" + dims + "]");
    add(to.types, "\"" + std::string(type_name(array->type)) + "\"");
  }
  to.dims += to.dims.empty() ? "" : "]";
  to.types += to.types.empty() ? "" : "]";
}

std::optional<OperatorWork> WorkRules::work_of(std::string_view name) {
  const ModuleInstruction* const instruction = module_.named(name);
  if (instruction == nullptr || instruction->results.empty() || is_unknown(instruction->opcode)) return std::nullopt;
  ComputationWork work;
  add_work(*instruction, work);
  if (instruction->opcode == "custom-call" && work.matrix.kind.empty()) return std::nullopt;
  OperatorWork out;
  out.kind = !work.matrix.kind.empty() ? work.matrix.kind
             : work.reduces            ? "reduction"
             : work.computes           ? "elementwise"
                                       : "copy";
  out.flops = work.matrix.kind.empty() ? work.flops : work.matrix.flops;
  out.arithmetic = work.matrix.arithmetic;
  out.bytes = bytes_.read(*instruction) + bytes_.written(*instruction);
  describe_operands(*instruction, out);
  return out;
}

}  // namespace assay::xplane
