#include "assay/detail/operands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "assay/detail/text.hpp"

namespace assay::roofline {
namespace {

struct ElementInfo {
  Element type;
  double bytes;
  std::string_view name;
  std::array<std::string_view, 8> in_traces;
  std::array<std::string_view, 3> in_kernels;
  std::array<std::int64_t, 3> codes;
};

/// Spellings of element types: kineto ("c10::BFloat16"), early kineto ("Half") and XLA ("bf16"); codes from
/// c10/core/ScalarType.h. In a kernel name with several types, the one that occurs first counts.
constexpr ElementInfo kElements[] = {
    {Element::kFloat64, 8, "fp64", {"double", "f64"}, {"double"}, {7, -1, -1}},
    {Element::kFloat32, 4, "fp32", {"float", "f32"}, {"float", "OpaqueType<4"}, {6, -1, -1}},
    {Element::kFloat16, 2, "fp16", {"c10::Half", "Half", "half", "f16"}, {"c10::Half", "__half"}, {5, -1, -1}},
    {Element::kBFloat16,
     2,
     "bf16",
     {"c10::BFloat16", "BFloat16", "bf16"},
     {"c10::BFloat16", "__nv_bfloat16", "OpaqueType<2"},
     {15, -1, -1}},
    {Element::kFloat8,
     1,
     "fp8",
     {"c10::Float8_e4m3fn", "c10::Float8_e5m2", "c10::Float8_e4m3fnuz", "c10::Float8_e5m2fnuz", "f8e4m3fn", "f8e5m2",
      "f8e4m3fnuz", "f8e5m2fnuz"},
     {"c10::Float8"},
     {23, 24, 25}},
    {Element::kComplex64,
     8,
     "complex64",
     {"c10::complex<float>", "c64"},
     {"c10::complex<float>", "OpaqueType<8"},
     {9, -1, -1}},
    {Element::kComplex128, 16, "complex128", {"c10::complex<double>", "c128"}, {"c10::complex<double>"}, {10, -1, -1}},
    {Element::kInt64, 8, "int64", {"long int", "long", "long long", "s64", "u64"}, {}, {4, -1, -1}},
    {Element::kInt32, 4, "int32", {"int", "s32", "u32"}, {}, {3, -1, -1}},
    {Element::kInt16, 2, "int16", {"short", "short int", "s16", "u16"}, {}, {2, -1, -1}},
    {Element::kInt8, 1, "int8", {"signed char", "unsigned char", "char", "s8", "u8"}, {"OpaqueType<1"}, {0, 1, -1}},
    {Element::kBool, 1, "bool", {"bool", "pred"}, {}, {11, -1, -1}},
};

const ElementInfo* info_of(Element type) {
  for (const ElementInfo& info : kElements) {
    if (info.type == type) return &info;
  }
  return nullptr;
}

/// Reads the lists of a trace: numbers, texts and nested lists. After the first mismatch it stays failed.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  /// Whether the next character is `c`; if so, consumes it.
  bool accept(char c) {
    skip_blanks();
    if (!ok_ || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool next_is(char c) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  /// Calls `element()` for each element of a list.
  template <class Each>
  void list(Each&& element) {
    if (!accept('[')) return fail();
    if (accept(']')) return;
    do {
      element();
    } while (ok_ && accept(','));
    if (!accept(']')) fail();
  }
  std::int64_t integer() {
    skip_blanks();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) {
      fail();
      return 0;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }
  std::string text() {
    std::string out;
    if (!accept('"')) {
      fail();
      return out;
    }
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_++];
    }
    if (!accept('"')) fail();
    return out;
  }
  void fail() { ok_ = false; }
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Dims of one input: of the tensor, or of each tensor of a list.
struct Lengths {
  bool nested = false;
  std::vector<std::vector<std::int64_t>> of;
};

std::vector<std::int64_t> read_lengths(Reader& reader) {
  std::vector<std::int64_t> out;
  reader.list([&] { out.push_back(reader.integer()); });
  return out;
}

std::optional<std::vector<Lengths>> read_all_lengths(std::string_view text) {
  Reader reader(text);
  std::vector<Lengths> out;
  reader.list([&] {
    Lengths one;
    if (!reader.accept('[')) return reader.fail();
    if (reader.accept(']')) {
      one.of.emplace_back();
    } else if (reader.next_is('[')) {
      one.nested = true;
      do one.of.push_back(read_lengths(reader));
      while (reader.ok() && reader.accept(','));
      if (!reader.accept(']')) reader.fail();
    } else {
      one.of.emplace_back();
      do one.of.back().push_back(reader.integer());
      while (reader.ok() && reader.accept(','));
      if (!reader.accept(']')) reader.fail();
    }
    out.push_back(std::move(one));
  });
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return out;
}

std::optional<std::vector<std::string>> read_texts(std::string_view text) {
  Reader reader(text);
  std::vector<std::string> out;
  reader.list([&] { out.push_back(reader.text()); });
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return out;
}

/// Types that are not tensors, in current and early kineto traces.
bool is_scalar(std::string_view type) {
  for (const std::string_view name :
       {"Scalar", "ScalarList", "Int", "Bool", "Double", "IntList", "DoubleList", "Device"})
    if (type == name) return true;
  return false;
}

Operand operand_of(const std::string& type, Lengths dims, const Lengths* strides) {
  Operand out;
  if (is_scalar(type)) {
    out.kind = Operand::Kind::kScalar;
    return out;
  }
  const Element element = element_of(type);
  const bool list = dims.nested || type == "TensorList" || type.starts_with("GenericList");
  if (!list && element == Element::kUnknown && dims.of.front().empty()) return out;
  out.kind = list ? Operand::Kind::kList : Operand::Kind::kTensor;
  const bool strided = strides != nullptr && strides->nested == dims.nested && strides->of.size() == dims.of.size();
  if (list && !dims.nested) return out;  // the tensors of the list are not described
  for (std::size_t t = 0; t < dims.of.size(); ++t) {
    Tensor tensor{std::move(dims.of[t]), {}, element};
    if (strided && strides->of[t].size() == tensor.dims.size()) tensor.strides = strides->of[t];
    out.tensors.push_back(std::move(tensor));
  }
  return out;
}

/// Whether all dims are possible for a PyTorch tensor.
bool are_lengths(const std::vector<Lengths>& lengths) {
  constexpr std::size_t kMaxDims = 64;  // limit of at::TensorIterator and DLPack
  for (const Lengths& one : lengths) {
    for (const auto& of : one.of) {
      if (of.size() > kMaxDims || std::ranges::any_of(of, [](std::int64_t n) { return n < 0; })) return false;
    }
  }
  return true;
}

}  // namespace

double element_bytes(Element type) {
  const ElementInfo* info = info_of(type);
  return info == nullptr ? 0 : info->bytes;
}

std::string_view element_name(Element type) {
  const ElementInfo* info = info_of(type);
  return info == nullptr ? std::string_view() : info->name;
}

Element element_named(std::string_view name) {
  for (const ElementInfo& info : kElements) {
    if (info.name == name) return info.type;
  }
  return Element::kUnknown;
}

Element element_of(std::string_view trace_type) {
  for (const ElementInfo& info : kElements) {
    for (const std::string_view name : info.in_traces)
      if (!name.empty() && name == trace_type) return info.type;
  }
  return Element::kUnknown;
}

Element element_of_code(std::int64_t scalar_type) {
  for (const ElementInfo& info : kElements) {
    for (const std::int64_t code : info.codes)
      if (code >= 0 && code == scalar_type) return info.type;
  }
  return Element::kUnknown;
}

Element element_in_kernel(std::string_view kernel_name) {
  Element found = Element::kUnknown;
  std::size_t first = std::string_view::npos;
  for (const ElementInfo& info : kElements) {
    for (const std::string_view name : info.in_kernels) {
      const std::size_t at = name.empty() ? std::string_view::npos : kernel_name.find(name);
      if (at < first) {
        first = at;
        found = info.type;
      }
    }
  }
  return found;
}

double Tensor::elements() const {
  double product = 1;
  for (const std::int64_t length : dims) product *= static_cast<double>(length);
  return product;
}

double Tensor::stored() const {
  if (strides.empty()) return elements();
  double product = 1;
  for (std::size_t d = 0; d < dims.size(); ++d)
    product *= strides[d] == 0 && dims[d] != 0 ? 1 : static_cast<double>(dims[d]);
  return product;
}

std::optional<std::int64_t> Operand::integer() const { return number_in<std::int64_t>(scalar); }

std::optional<std::vector<std::int64_t>> Operand::integers() const {
  if (const auto one = integer()) return std::vector{*one};
  if (!scalar.starts_with('[')) return std::nullopt;
  Reader reader(scalar);
  std::vector<std::int64_t> out = read_lengths(reader);
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return out;
}

std::optional<bool> Operand::flag() const {
  if (scalar == "True" || scalar == "true") return true;
  if (scalar == "False" || scalar == "false") return false;
  return std::nullopt;
}

std::optional<Operands> read_operands(std::string_view dims, std::string_view types, std::string_view strides,
                                      std::string_view concrete) {
  auto lengths = read_all_lengths(dims);
  const auto names = read_texts(types);
  if (!lengths || !names || lengths->size() != names->size() || !are_lengths(*lengths)) return std::nullopt;
  const auto steps = strides.empty() ? std::nullopt : read_all_lengths(strides);
  const auto scalars = concrete.empty() ? std::nullopt : read_texts(concrete);
  const bool has_steps = steps && steps->size() == names->size();
  Operands out;
  for (std::size_t i = 0; i < names->size(); ++i) {
    out.push_back(operand_of((*names)[i], std::move((*lengths)[i]), has_steps ? &(*steps)[i] : nullptr));
    if (scalars && i < scalars->size()) out.back().scalar = (*scalars)[i];
  }
  return out;
}

std::string shapes_text(const Operands& operands) {
  constexpr std::size_t kMax = 3;
  std::string out;
  std::string_view type;
  std::size_t shown = 0;
  for (const Operand& operand : operands) {
    if (operand.tensors.empty() || operand.tensors.front().dims.empty()) continue;
    if (shown++ == kMax) break;
    const Tensor& first = operand.tensors.front();
    std::string shape;
    for (const std::int64_t length : first.dims) shape += (shape.empty() ? "" : "x") + std::to_string(length);
    if (operand.kind == Operand::Kind::kList) shape = std::to_string(operand.tensors.size()) + " of " + shape;
    if (type.empty()) type = element_name(first.type);
    out += (out.empty() ? "" : ", ") + shape;
  }
  return type.empty() || out.empty() ? out : out + " " + std::string(type);
}

}  // namespace assay::roofline
