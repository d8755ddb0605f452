#include "shape.hpp"

#include "assay/detail/text.hpp"

namespace assay::attention {
namespace {

/// Value of a label as a positive integer, or 0.
std::int64_t positive(const StudyView& view, std::size_t report, std::string_view label) {
  return std::max<std::int64_t>(number_in<std::int64_t>(view.label_text(report, label)).value_or(0), 0);
}

/// Collects the sources of the members of a shape.
struct Origins {
  std::string options, labels, trace, missing;
  static void add(std::string& list, std::string_view name) { list.append(list.empty() ? "" : ", ").append(name); }
  [[nodiscard]] std::string str() const {
    std::string out;
    const auto part = [&](const std::string& names, std::string_view from) {
      if (!names.empty()) out.append(out.empty() ? "" : "; ").append(names).append(" from the ").append(from);
    };
    part(options, "options");
    part(labels, "labels");
    part(trace, "trace");
    return out;
  }
};

}  // namespace

double flops(const Shape& shape, Part part) {
  const double pairs = static_cast<double>(shape.batch) * static_cast<double>(shape.heads) *
                       static_cast<double>(shape.tokens) * static_cast<double>(shape.tokens);
  const double product = 2 * pairs * static_cast<double>(shape.head_dim), softmax = 5 * pairs;
  switch (part) {
    case kScores:
    case kValues:
      return product;
    case kSoftmax:
      return softmax;
    case kWhole:
      break;
  }
  return 2 * product + softmax;
}

KnownShape complete(const Shape& declared, const StudyView& view, std::size_t report,
                    std::optional<double> batched_products) {
  const auto label = [&](std::string_view name) { return positive(view, report, name); };
  KnownShape out;
  Shape& shape = out.shape;
  Origins origins;
  const auto set_size = [&](std::int64_t& member, std::int64_t given, std::string_view name, auto&&... derived) {
    member = given;
    if (member > 0) return Origins::add(origins.options, name);
    for (const std::int64_t value : {label(name), derived()...}) {
      if (member == 0) member = value;
    }
    if (member > 0) Origins::add(origins.labels, name);
  };
  set_size(shape.heads, declared.heads, "heads");
  set_size(shape.head_dim, declared.head_dim, "head_dim", [&]() -> std::int64_t {
    const std::int64_t dim = label("dim");
    return shape.heads > 0 && dim % shape.heads == 0 ? dim / shape.heads : 0;
  });
  set_size(
      shape.tokens, declared.tokens, "tokens", [&] { return label("ctx"); },
      [&]() -> std::int64_t {
        const std::int64_t px = label("px"), patch = label("patch");
        const bool whole = px > 0 && patch > 0 && px % patch == 0;
        return whole ? (px / patch) * (px / patch) + 1 : 0;
      });
  set_size(shape.batch, declared.batch, "batch");
  if (shape.batch == 0 && shape.heads > 0 && batched_products) {
    const auto products = static_cast<std::int64_t>(*batched_products);
    if (products % shape.heads == 0) shape.batch = products / shape.heads;
    if (shape.batch > 0) Origins::add(origins.trace, "batch");
  }
  const std::pair<std::int64_t, std::string_view> members[] = {
      {shape.batch, "batch"}, {shape.heads, "heads"}, {shape.tokens, "tokens"}, {shape.head_dim, "head_dim"}};
  for (const auto& [value, name] : members) {
    if (value == 0) Origins::add(origins.missing, name);
  }
  out.origin = origins.str();
  out.missing = origins.missing;
  return out;
}

}  // namespace assay::attention
