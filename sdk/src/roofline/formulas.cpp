#include "assay/detail/formulas.hpp"

#include <stdexcept>

#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/expression.hpp"
#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "rules.hpp"

namespace assay::roofline {
namespace {

constexpr std::string_view kCounted = "counted on an H100";
constexpr std::string_view kBrute = "counted by brute force; not checked by counters";

// clang-format off: a table
constexpr Formula kFormulas[] = {
    {"aten::mm aten::bmm aten::_int_mm", "matrix product", "2 B M N K", "B (M K + K N + M N) e", kCounted,
     "a tile that does not divide the shape computes more (8944 x 2816: +4.7 %)", mm},
    {"aten::addmm aten::baddbmm aten::addmv aten::_addmm_activation", "matrix product", "2 B M N K + B M N",
     "as a product, + the summand", kCounted, "an activation that is fused is not counted", addmm},
    {"aten::matmul aten::mv aten::dot", "matrix product", "2 B M N K, B broadcast",
     "as a product; broadcast operands once", kCounted, "as above", matmul},
    {"aten::linear", "matrix product", "2 M N K + M N with a bias", "M K + N K + M N, + N", kCounted, "as above",
     linear},
    {"aten::_scaled_mm", "matrix product", "2 M N K", "M K + K N of fp8, M N of the type asked for, + scales", kBrute,
     "quantising the operands is other operators' work", scaled_mm},
    {"aten::scaled_dot_product_attention aten::_scaled_dot_product_flash_attention "
     "aten::_scaled_dot_product_efficient_attention aten::_scaled_dot_product_cudnn_attention "
     "aten::_scaled_dot_product_attention_math aten::_flash_attention_forward aten::_efficient_attention_forward "
     "flash_attn::_flash_attn_forward",
     "attention", "2 B Hq pairs (Dqk + Dv); pairs: Nq Nkv, causal those that are visible",
     "Q + K + V + O, K and V by their own heads, + a mask", kCounted,
     "causal kernels compute whole tiles (2,048 tokens: 0.531 of all pairs, not 0.5002); packed batches of several "
     "lengths are not modelled",
     attention},
    {"vllm::unified_attention vllm::unified_attention_with_output sglang_profiler::attention_*", "attention",
     "2 Hq pairs (Dqk + Dv); pairs: sums in the name of the step around it, sqsk - (sqsq - sq) / 2",
     "Q + O by sq, K + V of the cache by sk and their own heads", "FLOPs and bytes of TraceLens",
     "layers with a sliding window see fewer keys and are above their roof; no model without such a name",
     paged_attention},
    {"aten::_scaled_dot_product_flash_attention_backward aten::_scaled_dot_product_efficient_attention_backward "
     "aten::_scaled_dot_product_cudnn_attention_backward aten::_flash_attention_backward "
     "aten::_efficient_attention_backward",
     "attention", "model 4 B Hq pairs (Dqk + Dv); computed + 2 B Hq pairs Dqk, for Q K^T again",
     "Q, K, V, O, dO read; dQ, dK, dV written", kCounted, "as forward", attention_backward},
    {"aten::conv1d aten::conv2d aten::conv3d aten::convolution aten::_convolution aten::cudnn_convolution "
     "aten::cudnn_convolution_relu aten::miopen_convolution aten::convolution_overrideable aten::_conv_depthwise2d "
     "aten::miopen_depthwise_convolution",
     "convolution", "2 prod(w[1:]) prod(out), + out with a bias; transposed: prod(in) in the place of prod(out)",
     "in + w + out", kCounted,
     "channels that are padded (3 of a patch convolution: 11.3 times the formula); Winograd and FFT compute less",
     convolution},
    {"aten::conv_transpose1d aten::conv_transpose2d aten::conv_transpose3d aten::cudnn_convolution_transpose",
     "convolution", "2 prod(w[1:]) prod(in)", "in + w + out", kBrute, "as a convolution", convolution},
    {"aten::convolution_backward aten::cudnn_convolution_backward_input aten::cudnn_convolution_backward_weight",
     "convolution", "a forward pass for each of dX and dW, + prod(out) for the bias",
     "dO, + W and dX, + X and dW, by what is asked for", kBrute, "as a convolution", convolution_backward},
    {"aten::layer_norm aten::native_layer_norm aten::rms_norm aten::_fused_rms_norm aten::group_norm "
     "aten::native_group_norm aten::batch_norm aten::native_batch_norm aten::cudnn_batch_norm aten::miopen_batch_norm "
     "aten::_batch_norm_impl_index aten::instance_norm",
     "norm", "8 n, RMS 4 n (a convention)", "in + out + weights and statistics", kCounted,
     "batch norm in training reads its input twice", norm},
    {"aten::native_layer_norm_backward aten::_fused_rms_norm_backward aten::native_group_norm_backward "
     "aten::native_batch_norm_backward aten::cudnn_batch_norm_backward aten::miopen_batch_norm_backward",
     "norm", "14 n (a convention)", "dO + in + dX + statistics", kBrute,
     "dW and db are sums over rows, whose partial sums are written too", norm_backward},
    {"aten::softmax aten::log_softmax aten::_softmax aten::_log_softmax aten::_safe_softmax", "softmax",
     "5 n (a convention)", "in + out", kCounted, "rows too long for the registers are read two or three times",
     softmax},
    {"aten::_softmax_backward_data aten::_log_softmax_backward_data", "softmax", "4 n (a convention)", "dO + out + dX",
     kBrute, "as softmax", softmax_backward},
    {"aten::cross_entropy_loss", "cross entropy", "5 n (a convention)", "in + targets", kCounted,
     "log_softmax writes the logits again: PyTorch moves 3.5 times that", cross_entropy},
    {"aten::nll_loss_forward aten::nll_loss aten::nll_loss_nd", "cross entropy", "1 a row",
     "targets + one number a row", kBrute, "a number of a row moves 32 bytes", nll_loss},
    {"aten::nll_loss_backward", "cross entropy", "1 a row", "targets + dX", kBrute, "", nll_loss_backward},
    {"aten::sum aten::mean aten::amax aten::amin aten::max aten::min aten::any aten::all aten::argmax aten::argmin "
     "aten::prod aten::norm aten::linalg_vector_norm aten::var aten::std aten::logsumexp aten::count_nonzero",
     "reduction", "n", "in + out", kCounted, "", reduction},
    {"aten::cumsum aten::cumprod", "reduction", "n", "in + out", kBrute, "", scan},
    {"aten::native_dropout", "elementwise", "2 n", "in + out + a mask of bytes", kBrute, "", dropout},
    {"aten::embedding aten::index_select aten::gather", "embedding", "0",
     "rows read, no more than there are, + indices + out", kCounted, "", embedding},
    {"aten::embedding_dense_backward", "embedding", "n", "dO + indices + the whole gradient to the table", kBrute, "",
     embedding_backward},
    {"aten::max_pool2d_with_indices", "reduction", "kernel elements x out", "in + out + indices of 8 bytes", kBrute,
     "with ceil_mode", max_pool},
    {"aten::max_pool2d_with_indices_backward", "reduction", "n", "dO + indices + dX", kBrute, "", max_pool_backward},
    {"aten::add aten::sub aten::rsub aten::mul aten::div aten::pow aten::square aten::sqrt aten::rsqrt "
     "aten::reciprocal aten::exp aten::exp2 aten::expm1 aten::log aten::log2 aten::log1p aten::sin aten::cos aten::tan "
     "aten::tanh aten::erf aten::abs aten::neg aten::sign aten::floor aten::ceil aten::round aten::trunc aten::fmod "
     "aten::remainder aten::floor_divide aten::maximum aten::minimum aten::clamp aten::clamp_min aten::clamp_max "
     "aten::relu aten::relu6 aten::hardtanh aten::hardswish aten::leaky_relu aten::elu aten::gelu aten::silu "
     "aten::sigmoid aten::mish aten::softplus aten::threshold aten::threshold_backward aten::gelu_backward "
     "aten::silu_backward aten::tanh_backward aten::sigmoid_backward aten::leaky_relu_backward aten::hardtanh_backward "
     "aten::addcmul aten::addcdiv aten::lerp aten::eq aten::ne aten::lt aten::le aten::gt aten::ge aten::isnan "
     "aten::isinf aten::isneginf aten::isposinf aten::isfinite aten::logical_not aten::logical_and aten::logical_or "
     "aten::logical_xor aten::bitwise_not aten::bitwise_and aten::bitwise_or aten::bitwise_xor aten::where "
     "aten::masked_fill aten::tril aten::triu",
     "elementwise", "n an operation; sigmoid 3, silu 4, gelu 5, lerp 3, addcmul 2, copies and selections 0",
     "operands (broadcast ones once) + result, whose type PyTorch promotes", kCounted,
     "transcendental functions are several instructions (gelu 20 on an H100); a division of integers is taken as "
     "integer",
     elementwise},
    {"aten::copy_ aten::_foreach_copy_", "copy", "0", "source + result", kCounted,
     "between host and device it is no kernel, and not counted", copy},
    {"aten::fill_ aten::zero_", "copy", "0", "result", kBrute, "", fill},
    {"aten::cat aten::stack", "copy", "0", "sources + result", kBrute,
     "a trace says of lists no type: it is taken from the kernel's name", concatenation},
    {"aten::_foreach_*", "optimizer", "n an operation", "lists + result", kCounted, "as cat", foreach_tensor},
    {"aten::_fused_adam_ aten::_fused_adamw_ aten::_fused_sgd_ aten::_fused_adagrad_", "optimizer",
     "Adam 15 n, others 4 n (a convention)", "p, m, v read and written, g read", kCounted, "as cat", fused_optimizer},
    {"vllm::rotary_embedding _C::rotary_embedding", "rotary embedding", "3 n", "query and key read and written", kBrute,
     "rotations that are chains of mul, neg, cat and add count as such", rotary_embedding},
    {"triton_*", "compiled kernel", "not known", "operands, once each", kBrute,
     "an operand that is read and written counts once", compiled},
};
// clang-format on

/// Damaged texts can describe impossible operands: products of dims overflow or are not numbers.
bool is_possible(double amount) {
  constexpr double kMax = 1e30;
  return amount >= 0 && amount <= kMax;
}

template <class Visit>
void each_name(std::string_view names, Visit&& visit) {
  each_part(names, ' ', [&](std::string_view name) {
    if (!name.empty()) visit(name);
  });
}

}  // namespace

const Tensor* OperatorCall::tensor(std::size_t i) const {
  return i < in.size() && in[i].kind == Operand::Kind::kTensor && !in[i].tensors.empty() ? in[i].tensors.data()
                                                                                         : nullptr;
}

std::span<const Tensor> OperatorCall::list(std::size_t i) const {
  if (i >= in.size() || in[i].kind != Operand::Kind::kList) return {};
  return in[i].tensors;
}

std::optional<std::int64_t> OperatorCall::integer(std::size_t i) const {
  return i < in.size() ? in[i].integer() : std::nullopt;
}

std::optional<bool> OperatorCall::flag(std::size_t i) const { return i < in.size() ? in[i].flag() : std::nullopt; }

std::optional<std::vector<std::int64_t>> OperatorCall::integers(std::size_t i, std::size_t n) const {
  auto out = i < in.size() ? in[i].integers() : std::nullopt;
  if (!out || n == 0) return out;
  if (out->size() == 1) out->resize(n, out->front());
  if (out->size() != n) return std::nullopt;
  return out;
}

std::span<const Formula> formulas() { return kFormulas; }

std::optional<Work> FormulaBook::FormulaMatch::work(const OperatorCall& call) const {
  auto work = own != nullptr ? own->work(call) : rule(call);
  if (work && !(is_possible(work->flops) && is_possible(work->computed) && is_possible(work->bytes))) work.reset();
  return work;
}

FormulaBook::FormulaBook(std::vector<OwnFormula> own) : own_(std::move(own)) {
  for (const Formula& formula : formulas()) {
    each_name(formula.operators, [&](std::string_view name) {
      if (name.ends_with('*')) {
        by_beginning_.emplace_back(name.substr(0, name.size() - 1), &formula);
      } else {
        by_name_.emplace(name, &formula);
      }
    });
  }
}

std::optional<FormulaBook::FormulaMatch> FormulaBook::find(std::string_view name) const {
  for (const OwnFormula& own : own_)
    if (own.name() == name) return FormulaMatch{"own formula", nullptr, &own};
  auto at = by_name_.find(name);
  if (at == by_name_.end() && name.ends_with('_')) at = by_name_.find(name.substr(0, name.size() - 1));
  if (at != by_name_.end()) return FormulaMatch{at->second->kind, at->second->rule, nullptr};
  for (const auto& [beginning, formula] : by_beginning_)
    if (name.starts_with(beginning)) return FormulaMatch{formula->kind, formula->rule, nullptr};
  return std::nullopt;
}

/// Values of the names in a user formula, as listed in formulas.hpp.
struct OwnFormula::Parts {
  std::string name;
  Expression flops, bytes;
  bool matrix = false;
};

namespace {

/// "d0_1" -> {0, 1}; one number if there is no "_".
std::optional<std::pair<std::size_t, std::optional<std::size_t>>> numbers_of(std::string_view text) {
  std::optional<std::size_t> found[2];
  std::size_t n = 0;
  bool bad = false;
  each_part(text, '_', [&](std::string_view part) {
    const auto number = number_in<std::size_t>(part);
    if (n == 2 || !number) {
      bad = true;
      return;
    }
    found[n++] = number;
  });
  if (bad || !found[0]) return std::nullopt;
  return std::pair{*found[0], found[1]};
}

std::optional<std::int64_t> whole(double value) {
  constexpr double kMax = 9e18;
  return value >= 0 && value < kMax ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

/// Value of a name of a user formula for a call; empty if the call does not have it.
std::optional<std::int64_t> value_of(const OperatorCall& call, std::string_view name) {
  const bool from_end = name.starts_with("dm");
  const char what = name.front();
  const auto numbers = numbers_of(name.substr(from_end ? 2 : 1));
  if (!numbers) return std::nullopt;
  const auto [input, dim] = *numbers;
  if (what == 's') return call.integer(input);
  double elements = 0, bytes = 0, cell = 0;
  const Tensor* tensor = call.tensor(input);
  if (tensor != nullptr) {
    elements = tensor->elements();
    bytes = tensor->bytes();
    cell = element_bytes(tensor->type);
  } else {
    for (const Tensor& t : call.list(input)) {
      elements += t.elements();
      bytes += t.bytes();
      cell = element_bytes(t.type);
    }
    if (call.list(input).empty()) return std::nullopt;
  }
  if (what == 'n') return whole(elements);
  if (what == 'b' || what == 'e') return cell == 0 ? std::nullopt : whole(what == 'b' ? bytes : cell);
  if (tensor == nullptr || !dim || *dim >= tensor->dims.size()) return std::nullopt;
  return tensor->dims[from_end ? tensor->dims.size() - 1 - *dim : *dim];
}

bool is_value_name(std::string_view name) {
  const bool dim = name.starts_with("d");
  const auto numbers = numbers_of(name.substr(std::min<std::size_t>(name.starts_with("dm") ? 2 : 1, name.size())));
  return std::string_view("nbeds").find(name.front()) != std::string_view::npos && numbers &&
         numbers->second.has_value() == dim;
}

}  // namespace

OwnFormula::OwnFormula(std::string_view text) {
  std::vector<std::string> parts;
  each_part(text, '|', [&](std::string_view part) { parts.emplace_back(part); });
  const bool matrix = parts.size() == 4 && parts[3] == "matrix";
  if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && !matrix) || parts[0].empty()) {
    throw std::invalid_argument("the formula '" + std::string(text) +
                                "' cannot be read; expected 'operator | FLOPs | bytes', and '| matrix' where matrix "
                                "units can do it");
  }
  parts_ = std::make_unique<Parts>(Parts{parts[0], Expression(parts[1], "flops of '" + parts[0] + "'"),
                                         Expression(parts[2], "bytes of '" + parts[0] + "'"), matrix});
  for (const Expression* of : {&parts_->flops, &parts_->bytes}) {
    for (const std::string& name : of->names()) {
      if (is_value_name(name)) continue;
      throw std::invalid_argument(
          filled("the formula of '{}' names '{}'; expected n0 (elements of input 0), b0 (its bytes), e0 (bytes of an "
                 "element), d0_1 (length along dim 1), dm0_1 (dim 1 from the last) or s3 (a whole number)",
                 {parts[0], name}));
    }
  }
}
OwnFormula::~OwnFormula() = default;
OwnFormula::OwnFormula(OwnFormula&&) noexcept = default;
OwnFormula& OwnFormula::operator=(OwnFormula&&) noexcept = default;

const std::string& OwnFormula::name() const { return parts_->name; }

std::optional<Work> OwnFormula::work(const OperatorCall& call) const {
  const auto value = [&](std::string_view name) { return value_of(call, name); };
  const auto flops = parts_->flops.value(value), bytes = parts_->bytes.value(value);
  if (!flops || !bytes || *flops < 0 || *bytes <= 0) return std::nullopt;
  Work work = streamed(static_cast<double>(*flops), static_cast<double>(*bytes));
  work.matrix = parts_->matrix;
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    const Tensor* tensor = call.tensor(i);
    if (tensor == nullptr || !parts_->matrix) continue;
    work.math = tensor->type;
    break;
  }
  return work;
}

}  // namespace assay::roofline
