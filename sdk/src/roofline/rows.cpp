// Row operators (norms, softmax, losses, reductions) and lookups. Their FLOPs are a conventional constant per element,
// since memory bounds them; their bytes are exact.
#include <algorithm>
#include <cmath>

#include "rules.hpp"

namespace assay::roofline {
namespace {

double bytes_or_none(const Tensor* tensor) { return tensor == nullptr ? 0 : tensor->bytes(); }

bool has_type(const Tensor* tensor) { return tensor != nullptr && element_bytes(tensor->type) > 0; }

}  // namespace

/// The first tensor is the input; the result has its size, and every further tensor (weight, bias, running statistics)
/// is read once. FLOPs per element: mean 1, variance 3, normalisation 2, weight and bias 2.
std::optional<Work> norm(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x)) return std::nullopt;
  const bool rms = call.name.find("rms") != std::string_view::npos;
  double bytes = 2 * x->bytes();
  for (std::size_t i = 1; i < call.in.size(); ++i) bytes += bytes_or_none(call.tensor(i));
  return streamed((rms ? 4 : 8) * x->elements(), bytes);
}

/// The first two tensors are the gradient and the input, in either order, of equal size. The gradients to the input,
/// the weight and the bias are written.
std::optional<Work> norm_backward(const OperatorCall& call) {
  const Tensor *grad = call.tensor(0), *x = call.tensor(1);
  if (!has_type(grad) || !has_type(x) || grad->dims != x->dims) return std::nullopt;
  double bytes = grad->bytes() + 2 * x->bytes();
  for (std::size_t i = 2; i < call.in.size(); ++i) bytes += bytes_or_none(call.tensor(i));
  return streamed(14 * x->elements(), bytes);
}

/// Maximum, difference, exponential, sum and quotient: 5 FLOPs per element.
std::optional<Work> softmax(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x)) return std::nullopt;
  // softmax(self, dim, dtype): the result may have another type.
  const auto code = call.integer(2);
  const Element asked = code ? element_of_code(*code) : Element::kUnknown;
  const bool to_float = call.flag(2).value_or(false);  // _softmax(self, dim, half_to_float)
  const Element result = to_float ? Element::kFloat32 : asked == Element::kUnknown ? x->type : asked;
  return streamed(5 * x->elements(), x->bytes() + x->elements() * element_bytes(result));
}

/// (grad, output, dim, input type): the gradient to the input is written in that type.
std::optional<Work> softmax_backward(const OperatorCall& call) {
  const Tensor *grad = call.tensor(0), *output = call.tensor(1);
  if (!has_type(grad) || !has_type(output)) return std::nullopt;
  const auto code = call.integer(3);
  const Element asked = code ? element_of_code(*code) : Element::kUnknown;
  const Element result = asked == Element::kUnknown ? grad->type : asked;
  return streamed(4 * grad->elements(), grad->bytes() + output->bytes() + grad->elements() * element_bytes(result));
}

/// Logits are read once; a chain of log_softmax and nll_loss would write and read them again.
std::optional<Work> cross_entropy(const OperatorCall& call) {
  const Tensor *x = call.tensor(0), *target = call.tensor(1);
  if (!has_type(x) || target == nullptr) return std::nullopt;
  return streamed(5 * x->elements(),
                  x->bytes() + target->bytes() + bytes_or_none(call.tensor(2)) + element_bytes(x->type));
}

/// Reads one number per row.
std::optional<Work> nll_loss(const OperatorCall& call) {
  const Tensor *x = call.tensor(0), *target = call.tensor(1);
  if (!has_type(x) || target == nullptr) return std::nullopt;
  return streamed(target->elements(), target->bytes() + target->elements() * element_bytes(x->type));
}

/// (grad, self, target, ...): writes a gradient of zeros with one other number per row.
std::optional<Work> nll_loss_backward(const OperatorCall& call) {
  const Tensor *x = call.tensor(1), *target = call.tensor(2);
  if (!has_type(x) || target == nullptr) return std::nullopt;
  return streamed(target->elements(), target->bytes() + x->bytes());
}

/// Reads its input. The size of the result follows from the dims if they were recorded; otherwise it counts as 0, a
/// lower bound.
std::optional<Work> reduction(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x)) return std::nullopt;
  double out = 1;
  const auto dims = call.in.size() > 1 ? call.in[1].integers() : std::nullopt;
  const bool by_dims = dims && call.in[1].kind == Operand::Kind::kScalar && !x->dims.empty();
  if (by_dims && !dims->empty()) {
    out = x->elements();
    const auto n = static_cast<std::int64_t>(x->dims.size());
    for (const std::int64_t dim : *dims) {
      const std::int64_t at = dim < 0 ? dim + n : dim;
      if (at < 0 || at >= n) return std::nullopt;
      if (x->dims[static_cast<std::size_t>(at)] > 0) out /= static_cast<double>(x->dims[static_cast<std::size_t>(at)]);
    }
  }
  const std::string_view name = bare_name(call.name);
  double cell = element_bytes(x->type);
  if (name == "any" || name == "all") cell = element_bytes(Element::kBool);
  if (name.starts_with("arg")) cell = element_bytes(Element::kInt64);
  return streamed(x->elements(), x->bytes() + out * cell);
}

std::optional<Work> scan(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x)) return std::nullopt;
  return streamed(x->elements(), 2 * x->bytes());
}

/// native_dropout(input, p, train) writes a mask of one byte per element.
std::optional<Work> dropout(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x)) return std::nullopt;
  return streamed(2 * x->elements(), 2 * x->bytes() + x->elements());
}

/// embedding(weight, indices), index_select(self, dim, index), gather(self, dim, index): repeated rows are read once,
/// so the bytes read never exceed the table.
std::optional<Work> embedding(const OperatorCall& call) {
  const std::string_view name = bare_name(call.name);
  const Tensor *table = call.tensor(0), *index = call.tensor(name == "embedding" ? 1 : 2);
  if (!has_type(table) || index == nullptr || table->dims.empty()) return std::nullopt;
  double out = index->elements();
  if (name != "gather") {
    const auto dim = name == "embedding" ? std::optional<std::int64_t>(0) : call.integer(1);
    if (!dim) return std::nullopt;
    const auto n = static_cast<std::int64_t>(table->dims.size());
    const std::int64_t at = *dim < 0 ? *dim + n : *dim;
    if (at < 0 || at >= n || table->dims[static_cast<std::size_t>(at)] <= 0) return std::nullopt;
    out *= table->elements() / static_cast<double>(table->dims[static_cast<std::size_t>(at)]);
  }
  const double cell = element_bytes(table->type);
  return streamed(0, out * cell + std::min(out, table->elements()) * cell + index->bytes());
}

/// embedding_dense_backward(grad, indices, num_weights, ...): writes every row of the gradient to the table.
std::optional<Work> embedding_backward(const OperatorCall& call) {
  const Tensor *grad = call.tensor(0), *index = call.tensor(1);
  const auto rows = call.integer(2);
  if (!has_type(grad) || index == nullptr || grad->dims.empty() || !rows || *rows < 0) return std::nullopt;
  const double row = static_cast<double>(grad->dims.back()) * element_bytes(grad->type);
  return streamed(grad->elements(), grad->bytes() + index->bytes() + static_cast<double>(*rows) * row);
}

/// max_pool2d_with_indices(self, kernel, stride, padding, dilation, ceil_mode): indices are int64.
std::optional<Work> max_pool(const OperatorCall& call) {
  const Tensor* x = call.tensor(0);
  if (!has_type(x) || x->dims.size() < 3) return std::nullopt;
  const auto kernel = call.integers(1, 2), padding = call.integers(3, 2), dilation = call.integers(4, 2);
  auto stride = call.integers(2, 2);
  if (!stride && call.in.size() > 2 && call.in[2].scalar == "[]") stride = kernel;
  if (!kernel || !padding || !dilation || !stride || call.flag(5).value_or(true)) return std::nullopt;
  double out = 1;
  const std::size_t n = x->dims.size();
  for (std::size_t d = 0; d < n; ++d) {
    auto length = static_cast<double>(x->dims[d]);
    if (d + 2 >= n) {
      const std::size_t i = d + 2 - n;
      if ((*stride)[i] <= 0 || (*padding)[i] < 0 || (*dilation)[i] <= 0 || (*kernel)[i] <= 0) return std::nullopt;
      const double left = length + 2 * static_cast<double>((*padding)[i]) -
                          static_cast<double>((*dilation)[i]) * (static_cast<double>((*kernel)[i]) - 1) - 1;
      if (left < 0) return std::nullopt;
      length = std::floor(left / static_cast<double>((*stride)[i])) + 1;
    }
    out *= length;
  }
  const double taps = static_cast<double>((*kernel)[0]) * static_cast<double>((*kernel)[1]);
  return streamed(out * taps, x->bytes() + out * (element_bytes(x->type) + element_bytes(Element::kInt64)));
}

/// (grad, self, kernel, ..., indices): writes a gradient of the size of the input.
std::optional<Work> max_pool_backward(const OperatorCall& call) {
  const Tensor *grad = call.tensor(0), *x = call.tensor(1);
  if (!has_type(grad) || !has_type(x)) return std::nullopt;
  const double index = grad->elements() * element_bytes(Element::kInt64);
  return streamed(grad->elements(), grad->bytes() + index + x->bytes());
}

}  // namespace assay::roofline
