// Scaled dot product attention in every spelling of PyTorch: the same two products over the visible pairs.
#include <algorithm>
#include <charconv>

#include "rules.hpp"

namespace assay::roofline {
namespace {

/// Which keys a query sees. Top left: query i sees keys 0..i. Bottom right, as with a KV cache: the last query sees all
/// keys.
enum class Mask : std::uint8_t { kNone, kTopLeft, kBottomRight };

struct Heads {
  double batch = 0, queries = 0, heads = 0, keys = 0, width = 0, value_width = 0;
};

double attention_length(const Tensor& tensor, std::size_t dim) { return static_cast<double>(tensor.dims[dim]); }

/// Batch x heads x tokens x width, or batch x tokens x heads x width.
std::optional<Heads> heads_of(const Tensor& q, const Tensor& k, const Tensor& v, bool tokens_first) {
  if (q.dims.size() != 4 || k.dims.size() != 4 || v.dims.size() != 4) return std::nullopt;
  const std::size_t tokens = tokens_first ? 1 : 2, heads = tokens_first ? 2 : 1;
  const bool fits = k.dims[tokens] == v.dims[tokens] && q.dims[3] == k.dims[3] && element_bytes(q.type) > 0;
  const bool grouped = k.dims[heads] > 0 && q.dims[heads] % k.dims[heads] == 0 && k.dims[heads] == v.dims[heads];
  if (!fits || !grouped) return std::nullopt;
  return Heads{attention_length(q, 0),      attention_length(q, tokens), attention_length(q, heads),
               attention_length(k, tokens), attention_length(q, 3),      attention_length(v, 3)};
}

/// Number of pairs of a query and a visible key, per head.
double visible_pairs(double queries, double keys, Mask mask) {
  const auto up_to = [](double n) { return n * (n + 1) / 2; };
  if (mask == Mask::kNone) return queries * keys;
  if (mask == Mask::kTopLeft) return queries <= keys ? up_to(queries) : up_to(keys) + (queries - keys) * keys;
  return queries <= keys ? queries * keys - up_to(queries - 1) : up_to(keys);
}

/// Positions of the arguments in a spelling; 0: it has no such argument.
struct AttentionSpelling {
  std::string_view name;
  bool tokens_first;
  std::size_t causal;   ///< a flag
  Mask mask;            ///< meaning of the flag
  std::size_t lengths;  ///< of the sequences of a packed batch, for which the shapes are not enough
  std::size_t kind;     ///< instead of a flag: 0 none, 1 top left, 2 bottom right
  std::size_t added;    ///< an additive mask, whose bytes count
};

constexpr AttentionSpelling kAttentionForward[] = {
    {"scaled_dot_product_attention", false, 5, Mask::kTopLeft, 0, 0, 3},
    {"_scaled_dot_product_flash_attention", false, 4, Mask::kTopLeft, 0, 0, 0},
    {"_scaled_dot_product_efficient_attention", false, 6, Mask::kTopLeft, 0, 0, 3},
    {"_scaled_dot_product_cudnn_attention", false, 6, Mask::kTopLeft, 0, 0, 3},
    {"_scaled_dot_product_attention_math", false, 5, Mask::kTopLeft, 0, 0, 3},
    {"_flash_attention_forward", true, 8, Mask::kBottomRight, 3, 0, 0},
    {"_efficient_attention_forward", true, 0, Mask::kNone, 4, 9, 3},
    {"_flash_attn_forward", true, 5, Mask::kBottomRight, 0, 0, 0},
};

/// Their arguments begin with the gradient, so Q, K and V are inputs 1 to 3.
constexpr AttentionSpelling kAttentionBackward[] = {
    {"_scaled_dot_product_flash_attention_backward", false, 11, Mask::kTopLeft, 0, 0, 0},
    {"_scaled_dot_product_efficient_attention_backward", false, 11, Mask::kTopLeft, 0, 0, 4},
    {"_scaled_dot_product_cudnn_attention_backward", false, 14, Mask::kTopLeft, 0, 0, 8},
    {"_flash_attention_backward", true, 11, Mask::kBottomRight, 6, 0, 0},
    {"_efficient_attention_backward", true, 0, Mask::kNone, 6, 14, 4},
};

template <std::size_t N>
const AttentionSpelling* attention_spelling(const AttentionSpelling (&spellings)[N], std::string_view name) {
  const auto at = std::find_if(std::begin(spellings), std::end(spellings),
                               [&](const AttentionSpelling& s) { return s.name == bare_name(name); });
  return at == std::end(spellings) ? nullptr : at;
}

/// Empty if the trace has no scalars, so that whether the attention is causal is unknown.
std::optional<Mask> mask_of(const AttentionSpelling& spelling, const OperatorCall& call) {
  if (spelling.kind != 0) {
    const auto kind = call.integer(spelling.kind);
    if (!kind || *kind < 0 || *kind > 2) return std::nullopt;
    return static_cast<Mask>(*kind);
  }
  const auto causal = call.flag(spelling.causal);
  if (!causal) return std::nullopt;
  return *causal ? spelling.mask : Mask::kNone;
}

struct Visible {
  Heads heads;
  double pairs;      ///< of all heads
  double all_pairs;  ///< all of them over the visible ones
  const Tensor *q, *k, *v;
};

std::optional<Visible> visible_of(const AttentionSpelling* spelling, const OperatorCall& call, std::size_t first) {
  if (spelling == nullptr) return std::nullopt;
  const Tensor *q = call.tensor(first), *k = call.tensor(first + 1), *v = call.tensor(first + 2);
  if (q == nullptr || k == nullptr || v == nullptr) return std::nullopt;
  if (spelling->lengths != 0 && call.tensor(spelling->lengths) != nullptr) return std::nullopt;
  const auto heads = heads_of(*q, *k, *v, spelling->tokens_first);
  const auto mask = mask_of(*spelling, call);
  if (!heads || !mask) return std::nullopt;
  const double pairs = visible_pairs(heads->queries, heads->keys, *mask);
  const double all_pairs = pairs > 0 ? heads->queries * heads->keys / pairs : 1;
  return Visible{*heads, heads->batch * heads->heads * pairs, all_pairs, q, k, v};
}

double added_bytes(const AttentionSpelling& spelling, const OperatorCall& call) {
  const Tensor* added = spelling.added == 0 ? nullptr : call.tensor(spelling.added);
  return added == nullptr ? 0 : added->bytes();
}

}  // namespace

std::optional<Work> attention(const OperatorCall& call) {
  const AttentionSpelling* spelling = attention_spelling(kAttentionForward, call.name);
  const auto seen = visible_of(spelling, call, 0);
  if (!seen) return std::nullopt;
  Work work;
  work.flops = work.computed = 2 * seen->pairs * (seen->heads.width + seen->heads.value_width);
  work.all_pairs = seen->all_pairs;
  const double out = seen->heads.batch * seen->heads.queries * seen->heads.heads * seen->heads.value_width;
  work.bytes = seen->q->bytes() + seen->k->bytes() + seen->v->bytes() + out * element_bytes(seen->q->type) +
               added_bytes(*spelling, call);
  work.matrix = true;
  work.math = seen->q->type;
  return work;
}

namespace {

/// Parses the number after `label` at the front of the text and removes both.
std::optional<double> parse_sum(std::string_view& text, std::string_view label) {
  if (!text.starts_with(label)) return std::nullopt;
  text.remove_prefix(label.size());
  std::uint64_t sum = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sum);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return static_cast<double>(sum);
}

}  // namespace

std::optional<AttendedTokens> attended_tokens(std::string_view name) {
  std::optional<AttendedTokens> all;
  for (std::size_t at = name.find("(sq"); at != std::string_view::npos; at = name.find("(sq", at + 1)) {
    std::string_view rest = name.substr(at + 1);
    const auto queries = parse_sum(rest, "sq"), keys = parse_sum(rest, "sk"), squares = parse_sum(rest, "sqsq"),
               products = parse_sum(rest, "sqsk");
    if (!queries || !keys || !squares || !products || !rest.starts_with(')')) continue;
    if (!all) all.emplace();
    all->queries += *queries;
    all->keys += *keys;
    all->pairs += *products - (*squares - *queries) / 2;
  }
  return all;
}

/// Tokens x heads x width, with keys and values stored in pages or by token. Their number is given by the step, not by
/// the shape.
std::optional<Work> paged_attention(const OperatorCall& call) {
  if (!call.attended || call.attended->pairs <= 0) return std::nullopt;
  const std::size_t first = call.name.starts_with("sglang") ? 3 : 1;
  const Tensor *q = call.tensor(0), *k = call.tensor(first), *v = call.tensor(first + 1);
  if (q == nullptr || k == nullptr || v == nullptr || q->dims.size() != 3) return std::nullopt;
  if (k->dims.size() < 3 || k->dims.size() != v->dims.size() || element_bytes(q->type) <= 0) return std::nullopt;
  const std::size_t last = k->dims.size() - 1;
  const auto heads = attention_length(*q, 1), width = attention_length(*q, 2),
             kv_heads = attention_length(*k, last - 1), value_width = attention_length(*v, last);
  if (width != attention_length(*k, last) || kv_heads != attention_length(*v, last - 1)) return std::nullopt;
  Work work;
  work.flops = work.computed = 2 * heads * call.attended->pairs * (width + value_width);
  work.bytes = call.attended->queries * heads * (width + value_width) * element_bytes(q->type) +
               call.attended->keys * kv_heads * (width * element_bytes(k->type) + value_width * element_bytes(v->type));
  work.matrix = true;
  work.math = q->type;
  return work;
}

/// dV, dP, dQ and dK. Flash and efficient attention recompute Q K^T, which does not count as work of the model.
std::optional<Work> attention_backward(const OperatorCall& call) {
  const AttentionSpelling* spelling = attention_spelling(kAttentionBackward, call.name);
  const auto seen = visible_of(spelling, call, 1);
  if (!seen) return std::nullopt;
  const double width = seen->heads.width, value_width = seen->heads.value_width;
  Work work;
  work.flops = 4 * seen->pairs * (width + value_width);
  work.computed = work.flops + 2 * seen->pairs * width;
  work.all_pairs = seen->all_pairs;
  const double out = seen->heads.batch * seen->heads.queries * seen->heads.heads * value_width;
  work.bytes = 2 * (seen->q->bytes() + seen->k->bytes() + seen->v->bytes()) + 2 * out * element_bytes(seen->q->type) +
               added_bytes(*spelling, call);
  work.matrix = true;
  work.math = seen->q->type;
  return work;
}

}  // namespace assay::roofline
