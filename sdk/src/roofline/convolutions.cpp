// Convolutions with one to three spatial dims: every output element sums over the kernel and the channels of its group.
// A transposed convolution is the gradient of one: every input element is spread over the kernel.
#include <algorithm>

#include "rules.hpp"

namespace assay::roofline {
namespace {

struct ConvolutionShape {
  const Tensor *x = nullptr, *w = nullptr, *bias = nullptr;
  bool transposed = false;
  double out = 0;  ///< elements
};

/// Positions of the arguments in a spelling; 0: it has no such argument.
struct ConvolutionSpelling {
  std::string_view name;
  std::size_t bias, stride, padding, dilation, output_padding, transposed, groups;
  bool always_transposed;
};

constexpr ConvolutionSpelling kConvolutions[] = {
    {"conv1d", 2, 3, 4, 5, 0, 0, 6, false},
    {"conv2d", 2, 3, 4, 5, 0, 0, 6, false},
    {"conv3d", 2, 3, 4, 5, 0, 0, 6, false},
    {"convolution", 2, 3, 4, 5, 7, 6, 8, false},
    {"_convolution", 2, 3, 4, 5, 7, 6, 8, false},
    {"convolution_overrideable", 2, 3, 4, 5, 7, 6, 8, false},
    {"cudnn_convolution", 0, 3, 2, 4, 0, 0, 5, false},
    {"cudnn_convolution_relu", 2, 3, 4, 5, 0, 0, 6, false},
    {"miopen_convolution", 2, 4, 3, 5, 0, 0, 6, false},
    {"_conv_depthwise2d", 3, 4, 5, 6, 0, 0, 0, false},
    {"miopen_depthwise_convolution", 2, 4, 3, 5, 0, 0, 6, false},
    {"conv_transpose1d", 2, 3, 4, 7, 5, 0, 6, true},
    {"conv_transpose2d", 2, 3, 4, 7, 5, 0, 6, true},
    {"conv_transpose3d", 2, 3, 4, 7, 5, 0, 6, true},
    {"cudnn_convolution_transpose", 0, 4, 2, 5, 3, 0, 6, true},
};

/// Output length along one dim; empty if the kernel fits nowhere.
std::optional<double> out_length(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                                 std::int64_t dilation) {
  constexpr std::int64_t kMax = std::int64_t{1} << 40;  // prevents overflow below
  for (const std::int64_t n : {in, kernel, stride, padding, dilation})
    if (n < 0 || n > kMax) return std::nullopt;
  if (stride == 0 || (kernel > 1 && dilation > kMax / kernel)) return std::nullopt;
  const std::int64_t left = in + 2 * padding - dilation * (kernel - 1) - 1;
  if (left < 0) return std::nullopt;
  const std::int64_t steps = left / stride;
  return static_cast<double>(steps + 1);
}

std::optional<ConvolutionShape> convolution_shape(const OperatorCall& call) {
  const auto s = std::find_if(std::begin(kConvolutions), std::end(kConvolutions),
                              [&](const ConvolutionSpelling& one) { return one.name == bare_name(call.name); });
  ConvolutionShape shape{call.tensor(0), call.tensor(1), nullptr, false, 1};
  if (s == std::end(kConvolutions) || shape.x == nullptr || shape.w == nullptr) return std::nullopt;
  const std::size_t n = shape.w->dims.size();
  if (n < 3 || n > 5 || shape.x->dims.size() != n || element_bytes(shape.x->type) == 0) return std::nullopt;
  if (s->bias != 0) shape.bias = call.tensor(s->bias);
  const auto stride = call.integers(s->stride, n - 2), padding = call.integers(s->padding, n - 2);
  const auto dilation = call.integers(s->dilation, n - 2);
  if (!stride || !padding || !dilation) return std::nullopt;
  const auto transposed = s->transposed == 0 ? std::optional(s->always_transposed) : call.flag(s->transposed);
  if (!transposed) return std::nullopt;
  shape.transposed = *transposed;
  shape.out = static_cast<double>(shape.x->dims[0]);
  if (!shape.transposed) {
    shape.out *= static_cast<double>(shape.w->dims[0]);
    for (std::size_t d = 0; d + 2 < n; ++d) {
      const auto length =
          out_length(shape.x->dims[d + 2], shape.w->dims[d + 2], (*stride)[d], (*padding)[d], (*dilation)[d]);
      if (!length) return std::nullopt;
      shape.out *= *length;
    }
    return shape;
  }
  const auto added = call.integers(s->output_padding, n - 2);
  const auto groups = call.integer(s->groups);
  if (!added || !groups) return std::nullopt;
  shape.out *= static_cast<double>(shape.w->dims[1]) * static_cast<double>(*groups);
  for (std::size_t d = 0; d + 2 < n; ++d) {
    const auto in = static_cast<double>(shape.x->dims[d + 2]), kernel = static_cast<double>(shape.w->dims[d + 2]);
    const double length = (in - 1) * static_cast<double>((*stride)[d]) - 2 * static_cast<double>((*padding)[d]) +
                          static_cast<double>((*dilation)[d]) * (kernel - 1) + static_cast<double>((*added)[d]) + 1;
    if (length < 1) return std::nullopt;
    shape.out *= length;
  }
  return shape;
}

/// Multiplications and additions of one pass, forward or to one of the gradients. `spread`: elements that each kernel
/// position is applied to: of the output, or for a transposed convolution of the input.
double pass_flops(const Tensor& w, double spread) {
  double kernel = 2;
  for (std::size_t d = 1; d < w.dims.size(); ++d) kernel *= static_cast<double>(w.dims[d]);
  return kernel * spread;
}

Work matrix_work(double flops, double bytes, Element math) {
  Work work = streamed(flops, bytes);
  work.matrix = true;
  work.math = math;
  return work;
}

}  // namespace

std::optional<Work> convolution(const OperatorCall& call) {
  const auto shape = convolution_shape(call);
  if (!shape) return std::nullopt;
  const double added = shape->bias != nullptr ? shape->out : 0;
  const double flops = pass_flops(*shape->w, shape->transposed ? shape->x->elements() : shape->out) + added;
  const double bytes = shape->x->bytes() + shape->w->bytes() + shape->out * element_bytes(shape->x->type) +
                       (shape->bias != nullptr ? shape->bias->bytes() : 0);
  return matrix_work(flops, bytes, shape->x->type);
}

/// convolution_backward(grad, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
/// output_mask); before 2022 cudnn_convolution_backward_input(size, grad, weight, ...) and ..._weight(size, grad,
/// input, ...). The gradient has the shape of the output, so strides are not needed.
std::optional<Work> convolution_backward(const OperatorCall& call) {
  const std::string_view name = bare_name(call.name);
  const Tensor *first = call.tensor(0), *second = call.tensor(1), *third = call.tensor(2);
  if (name.ends_with("_backward_input") || name.ends_with("_backward_weight")) {
    const auto size = call.integers(0, 0);
    if (!size || second == nullptr || third == nullptr || element_bytes(second->type) == 0) return std::nullopt;
    if (std::any_of(size->begin(), size->end(), [](std::int64_t n) { return n < 0; })) return std::nullopt;
    const Tensor made{*size, {}, second->type};
    const bool weight = name.ends_with("_weight");
    if ((weight ? made : *third).dims.size() < 3) return std::nullopt;
    const double flops = pass_flops(weight ? made : *third, second->elements());
    return matrix_work(flops, second->bytes() + third->bytes() + made.bytes(), second->type);
  }
  if (first == nullptr || second == nullptr || third == nullptr || third->dims.size() < 3) return std::nullopt;
  if (element_bytes(first->type) == 0) return std::nullopt;
  const auto transposed = call.flag(7);
  const std::string& mask = call.in.size() > 10 ? call.in[10].scalar : std::string();
  if (!transposed || mask.empty()) return std::nullopt;
  std::vector<bool> made;
  for (std::size_t at = 1; at < mask.size();
       at = mask.find(',', at) == std::string::npos ? mask.size() : mask.find(',', at) + 1)
    made.push_back(mask.find("True", at) < mask.find(',', at));
  if (made.size() != 3) return std::nullopt;
  const double pass = pass_flops(*third, *transposed ? second->elements() : first->elements());
  double flops = 0, bytes = first->bytes();
  if (made[0]) {
    flops += pass;
    bytes += third->bytes() + second->bytes();
  }  // reads w, writes dx
  if (made[1]) {
    flops += pass;
    bytes += second->bytes() + third->bytes();
  }  // reads x, writes dw
  if (made[2]) {
    flops += first->elements();
    bytes += static_cast<double>(first->dims.size() > 1 ? first->dims[1] : 1) * element_bytes(first->type);
  }
  return matrix_work(flops, bytes, first->type);
}

}  // namespace assay::roofline
