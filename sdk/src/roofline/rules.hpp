// The rules behind the table of formulas, grouped by operator family. Each takes the arguments in the order of
// PyTorch's native_functions.yaml.
#pragma once

#include "assay/detail/formulas.hpp"

namespace assay::roofline {

// products.cpp
std::optional<Work> mm(const OperatorCall& call);
std::optional<Work> addmm(const OperatorCall& call);
std::optional<Work> matmul(const OperatorCall& call);
std::optional<Work> linear(const OperatorCall& call);
std::optional<Work> scaled_mm(const OperatorCall& call);

// attention.cpp
std::optional<Work> attention(const OperatorCall& call);
std::optional<Work> attention_backward(const OperatorCall& call);
std::optional<Work> paged_attention(const OperatorCall& call);

// convolutions.cpp
std::optional<Work> convolution(const OperatorCall& call);
std::optional<Work> convolution_backward(const OperatorCall& call);

// elementwise.cpp
std::optional<Work> elementwise(const OperatorCall& call);
std::optional<Work> copy(const OperatorCall& call);
std::optional<Work> fill(const OperatorCall& call);
std::optional<Work> concatenation(const OperatorCall& call);
std::optional<Work> foreach_tensor(const OperatorCall& call);
std::optional<Work> fused_optimizer(const OperatorCall& call);
std::optional<Work> rotary_embedding(const OperatorCall& call);
std::optional<Work> compiled(const OperatorCall& call);

// rows.cpp: row operators and lookups
std::optional<Work> norm(const OperatorCall& call);
std::optional<Work> norm_backward(const OperatorCall& call);
std::optional<Work> softmax(const OperatorCall& call);
std::optional<Work> softmax_backward(const OperatorCall& call);
std::optional<Work> cross_entropy(const OperatorCall& call);
std::optional<Work> nll_loss(const OperatorCall& call);
std::optional<Work> nll_loss_backward(const OperatorCall& call);
std::optional<Work> reduction(const OperatorCall& call);
std::optional<Work> scan(const OperatorCall& call);
std::optional<Work> dropout(const OperatorCall& call);
std::optional<Work> embedding(const OperatorCall& call);
std::optional<Work> embedding_backward(const OperatorCall& call);
std::optional<Work> max_pool(const OperatorCall& call);
std::optional<Work> max_pool_backward(const OperatorCall& call);

/// Work that moves `bytes` and does `flops` operations outside the matrix units.
inline Work streamed(double flops, double bytes) { return {flops, flops, bytes, true, false, Element::kFloat32}; }

/// A name without its namespace: "mm" for "aten::mm".
inline std::string_view bare_name(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

}  // namespace assay::roofline
