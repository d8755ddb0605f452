// Matrix products: (B x) M x K times K x N.
#include <algorithm>

#include "rules.hpp"

namespace assay::roofline {
namespace {

struct Product {
  double batch = 1, m = 1, n = 1, k = 1;
};

Work product_work(const Product& p, const Tensor& a, const Tensor& b, const Tensor* added, Element result) {
  const double out = p.batch * p.m * p.n;
  Work work;
  work.flops = 2 * out * p.k;
  work.bytes = a.bytes() + b.bytes() + out * element_bytes(result);
  if (added != nullptr) {
    work.flops += out;
    work.bytes += added->bytes();
  }
  work.computed = work.flops;
  work.matrix = true;
  work.math = a.type;
  return work;
}

double length_at(const Tensor& tensor, std::size_t dim) { return static_cast<double>(tensor.dims[dim]); }

/// Product of two matrices or of two batches of matrices; empty if the inner dims differ.
std::optional<Product> product_of(const Tensor& a, const Tensor& b) {
  const std::size_t n = a.dims.size();
  if (n != b.dims.size() || n < 2 || n > 3 || element_bytes(a.type) == 0) return std::nullopt;
  if (a.dims[n - 1] != b.dims[n - 2] || (n == 3 && a.dims[0] != b.dims[0])) return std::nullopt;
  return Product{n == 3 ? length_at(a, 0) : 1, length_at(a, n - 2), length_at(b, n - 1), length_at(a, n - 1)};
}

}  // namespace

std::optional<Work> mm(const OperatorCall& call) {
  const Tensor *a = call.tensor(0), *b = call.tensor(1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  const auto product = product_of(*a, *b);
  if (!product) return std::nullopt;
  return product_work(*product, *a, *b, nullptr, a->type);
}

/// addmm, baddbmm(self, a, b) and addmv(self, matrix, vector).
std::optional<Work> addmm(const OperatorCall& call) {
  const Tensor *self = call.tensor(0), *a = call.tensor(1), *b = call.tensor(2);
  if (self == nullptr || a == nullptr || b == nullptr) return std::nullopt;
  if (a->dims.size() == 2 && b->dims.size() == 1) {
    if (a->dims[1] != b->dims[0]) return std::nullopt;
    return product_work({1, length_at(*a, 0), 1, length_at(*a, 1)}, *a, *b, self, a->type);
  }
  const auto product = product_of(*a, *b);
  if (!product) return std::nullopt;
  return product_work(*product, *a, *b, self, a->type);
}

/// torch.matmul: broadcasts vectors, matrices and batches. mv and dot are special cases.
std::optional<Work> matmul(const OperatorCall& call) {
  const Tensor *a = call.tensor(0), *b = call.tensor(1);
  if (a == nullptr || b == nullptr || a->dims.empty() || b->dims.empty() || element_bytes(a->type) == 0)
    return std::nullopt;
  const std::size_t da = a->dims.size(), db = b->dims.size();
  Product p;
  p.k = length_at(*a, da - 1);
  if (a->dims[da - 1] != b->dims[db == 1 ? 0 : db - 2]) return std::nullopt;
  if (da > 1) p.m = length_at(*a, da - 2);
  if (db > 1) p.n = length_at(*b, db - 1);
  for (std::size_t i = 2; i < std::max(da, db); ++i) {  // batch dims, from the last one
    const std::int64_t x = i < da ? a->dims[da - 1 - i] : 1, y = i < db ? b->dims[db - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    p.batch *= static_cast<double>(x == 1 ? y : x);
  }
  return product_work(p, *a, *b, nullptr, a->type);
}

/// linear(input, weight, bias): the weight is N x K.
std::optional<Work> linear(const OperatorCall& call) {
  const Tensor *x = call.tensor(0), *w = call.tensor(1);
  if (x == nullptr || w == nullptr || x->dims.empty() || w->dims.empty() || w->dims.size() > 2) return std::nullopt;
  const double k = length_at(*w, w->dims.size() - 1);
  if (x->dims.back() != w->dims.back() || k == 0 || element_bytes(x->type) == 0) return std::nullopt;
  return product_work({1, x->elements() / k, w->elements() / k, k}, *x, *w, call.tensor(2), x->type);
}

/// _scaled_mm(self, mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum).
std::optional<Work> scaled_mm(const OperatorCall& call) {
  const Tensor *a = call.tensor(0), *b = call.tensor(1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  const auto product = product_of(*a, *b);
  const auto code = call.integer(6);
  const Element result = code ? element_of_code(*code) : a->type;
  if (!product || element_bytes(result) == 0) return std::nullopt;
  Work work = product_work(*product, *a, *b, call.tensor(4), result);
  for (const std::size_t scale : {std::size_t{2}, std::size_t{3}}) {
    if (const Tensor* t = call.tensor(scale)) work.bytes += t->bytes();
  }
  return work;
}

}  // namespace assay::roofline
