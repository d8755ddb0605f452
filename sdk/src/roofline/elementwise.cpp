// Elementwise operators, lists of them (foreach, fused optimizers), copies, and compiled kernels.
#include <algorithm>

#include "rules.hpp"

namespace assay::roofline {
namespace {

enum class Class : std::uint8_t { kBool, kInteger, kFloat, kComplex };

Class class_of(Element type) {
  switch (type) {
    case Element::kBool:
      return Class::kBool;
    case Element::kComplex64:
    case Element::kComplex128:
      return Class::kComplex;
    case Element::kInt64:
    case Element::kInt32:
    case Element::kInt16:
    case Element::kInt8:
      return Class::kInteger;
    default:
      return Class::kFloat;
  }
}

/// As torch.result_type of two operands: the higher class, and within a class the wider type; bf16 with fp16 gives
/// fp32.
Element promoted(Element a, Element b) {
  if (a == Element::kUnknown || b == a) return b;
  if (b == Element::kUnknown) return a;
  if (class_of(a) != class_of(b)) return class_of(a) > class_of(b) ? a : b;
  if (element_bytes(a) == element_bytes(b)) return class_of(a) == Class::kFloat ? Element::kFloat32 : a;
  return element_bytes(a) > element_bytes(b) ? a : b;
}

struct Broadcast {
  std::vector<std::int64_t> dims;
  Element type = Element::kUnknown;
  double bytes = 0;  ///< of the operands
};

/// Broadcast of all tensors; empty if their shapes do not fit. Single elements cause no traffic and affect the type
/// only if their class is higher.
std::optional<Broadcast> broadcast(const OperatorCall& call) {
  Broadcast out;
  Element single = Element::kUnknown;
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    const Tensor* t = call.tensor(i);
    if (t == nullptr) continue;
    if (t->dims.empty()) {
      single = promoted(single, t->type);
      continue;
    }
    if (element_bytes(t->type) == 0) return std::nullopt;
    out.bytes += t->bytes();
    const bool is_condition = t->type == Element::kBool && bare_name(call.name).starts_with("where");
    if (!is_condition) out.type = promoted(out.type, t->type);
    if (out.dims.size() < t->dims.size()) out.dims.insert(out.dims.begin(), t->dims.size() - out.dims.size(), 1);
    for (std::size_t d = 0; d < t->dims.size(); ++d) {
      std::int64_t& length = out.dims[out.dims.size() - 1 - d];
      const std::int64_t other = t->dims[t->dims.size() - 1 - d];
      if (length != other && length != 1 && other != 1) return std::nullopt;
      length = length == 1 ? other : length;
    }
  }
  if (out.type == Element::kUnknown || (single != Element::kUnknown && class_of(single) > class_of(out.type)))
    out.type = single;
  if (element_bytes(out.type) == 0) return std::nullopt;
  return out;
}

/// FLOPs per element, if not 1.
struct Composite {
  std::string_view name;
  double flops;
};
constexpr Composite kComposites[] = {
    {"addcmul", 2},     {"addcdiv", 2},       {"lerp", 3},          {"sigmoid", 3},       {"silu", 4},
    {"gelu", 5},        {"gelu_backward", 9}, {"silu_backward", 7}, {"tanh_backward", 3}, {"sigmoid_backward", 3},
    {"hardswish", 4},   {"mish", 6},          {"softplus", 3},      {"tril", 0},          {"triu", 0},
    {"masked_fill", 0}, {"where", 0},
};

double flops_of(std::string_view name) {
  const auto at =
      std::find_if(std::begin(kComposites), std::end(kComposites), [&](const Composite& c) { return c.name == name; });
  return at == std::end(kComposites) ? 1 : at->flops;
}

bool gives_bool(std::string_view name) {
  for (const std::string_view one : {"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isneginf", "isposinf",
                                     "isfinite", "logical_not", "logical_and", "logical_or", "logical_xor", "signbit"})
    if (name == one) return true;
  return false;
}

bool in_place(std::string_view& name) {
  if (!name.ends_with('_')) return false;
  name.remove_suffix(1);
  return true;
}

/// Totals over all tensors in the lists of a call.
struct Lists {
  double bytes = 0;  ///< of all
  std::span<const Tensor> first;
};

std::optional<Lists> lists_of(const OperatorCall& call) {
  Lists out;
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    if (call.in[i].kind != Operand::Kind::kList) continue;
    const std::span<const Tensor> list = call.list(i);
    if (list.empty()) return std::nullopt;  // the trace says only that it is a list
    if (out.first.empty()) out.first = list;
    for (const Tensor& t : list) {
      if (element_bytes(t.type) == 0) return std::nullopt;
      out.bytes += t.bytes();
    }
  }
  return out.first.empty() ? std::nullopt : std::optional(out);
}

double list_elements(std::span<const Tensor> list) {
  double sum = 0;
  for (const Tensor& t : list) sum += t.elements();
  return sum;
}

double list_bytes(std::span<const Tensor> list) {
  double sum = 0;
  for (const Tensor& t : list) sum += t.bytes();
  return sum;
}

}  // namespace

std::optional<Work> elementwise(const OperatorCall& call) {
  const auto all = broadcast(call);
  if (!all) return std::nullopt;
  std::string_view name = bare_name(call.name);
  const Tensor* self = call.tensor(0);
  const bool writes_self = in_place(name) && self != nullptr;
  const Tensor made{all->dims, {}, gives_bool(name) ? Element::kBool : all->type};
  return streamed(flops_of(name) * made.elements(), all->bytes + (writes_self ? self->bytes() : made.bytes()));
}

/// copy_(self, source): a cast if the types differ.
std::optional<Work> copy(const OperatorCall& call) {
  const Tensor *to = call.tensor(0), *from = call.tensor(1);
  if (to == nullptr || from == nullptr || element_bytes(to->type) == 0 || element_bytes(from->type) == 0)
    return std::nullopt;
  return streamed(0, to->bytes() + from->bytes());
}

std::optional<Work> fill(const OperatorCall& call) {
  const Tensor* to = call.tensor(0);
  if (to == nullptr || element_bytes(to->type) == 0) return std::nullopt;
  return streamed(0, to->bytes());
}

/// cat and stack: every element is read and written once.
std::optional<Work> concatenation(const OperatorCall& call) {
  const auto lists = lists_of(call);
  if (!lists) return std::nullopt;
  double out = 0;
  for (const Tensor& t : lists->first) out += t.elements() * element_bytes(t.type);
  return streamed(0, lists->bytes + out);
}

/// _foreach_NAME(self, ...) returns a list like self; _foreach_NAME_ writes to self.
std::optional<Work> foreach_tensor(const OperatorCall& call) {
  constexpr std::string_view kBegin = "_foreach_";
  const auto lists = lists_of(call);
  std::string_view name = bare_name(call.name);
  if (!lists || !name.starts_with(kBegin)) return std::nullopt;
  name.remove_prefix(kBegin.size());
  in_place(name);
  if (name == "copy" || name == "zero") {
    const double read = name == "copy" ? lists->bytes - list_bytes(lists->first) : 0;
    return streamed(0, read + list_bytes(lists->first));
  }
  if (name == "norm") return streamed(2 * list_elements(lists->first), lists->bytes);
  return streamed(flops_of(name) * list_elements(lists->first), lists->bytes + list_bytes(lists->first));
}

/// Lists: parameters, gradients, then moments. Parameters and moments are read and written, gradients read; the step
/// counters are single elements.
std::optional<Work> fused_optimizer(const OperatorCall& call) {
  const std::string_view name = bare_name(call.name);
  const bool adam = name.find("adam") != std::string_view::npos;
  const auto parameters = call.list(0), gradients = call.list(1);
  if (parameters.empty() || gradients.size() != parameters.size()) return std::nullopt;
  double bytes = list_bytes(gradients);
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    const auto list = call.list(i);
    if (i == 1 || list.size() != parameters.size()) continue;
    if (list_elements(list) > static_cast<double>(list.size()) || i == 0) bytes += 2 * list_bytes(list);
  }
  if (bytes <= 0) return std::nullopt;
  return streamed((adam ? 15 : 4) * list_elements(parameters), bytes);
}

/// rotary_embedding(positions, query, key, head size, cos and sin, ...): query and key are rotated in place, pair by
/// pair: 4 products, an addition and a subtraction.
std::optional<Work> rotary_embedding(const OperatorCall& call) {
  const Tensor *positions = call.tensor(0), *query = call.tensor(1), *key = call.tensor(2);
  if (query == nullptr || element_bytes(query->type) == 0) return std::nullopt;
  const double keys = key == nullptr ? 0 : key->elements();
  const double turned = query->bytes() + (key == nullptr ? 0 : key->bytes());
  return streamed(3 * (query->elements() + keys), 2 * turned + (positions == nullptr ? 0 : positions->bytes()));
}

/// The operands of a compiled kernel are what it reads and writes; what it computes is not recorded.
std::optional<Work> compiled(const OperatorCall& call) {
  double bytes = 0;
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    if (const Tensor* t = call.tensor(i)) bytes += t->bytes();
  }
  if (bytes <= 0) return std::nullopt;
  Work work = streamed(0, bytes);
  work.flops_known = false;
  return work;
}

}  // namespace assay::roofline
