// The shape of an attention layer and the number of operations of its parts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/study.hpp"

namespace assay::attention {

/// Parts of an attention call, and the related measurements.
enum Part : std::size_t { kScores = 0, kSoftmax = 1, kValues = 2, kWhole = 3 };
inline constexpr std::array<std::string_view, 4> kPartNames = {"scores", "softmax", "values", "whole"};
inline constexpr std::size_t kSeparateParts = 3;  ///< scores, softmax, values

/// Batch, heads, tokens and head dimension. 0: unknown.
struct Shape {
  std::int64_t batch = 0, heads = 0, tokens = 0, head_dim = 0;
  [[nodiscard]] bool known() const { return batch > 0 && heads > 0 && tokens > 0 && head_dim > 0; }
};

/// Floating-point operations of one part of one attention call: 2*B*H*N*N*D for each product, 5*B*H*N*N for softmax
/// (maximum, subtraction, exponential, sum, division). `shape` must be known.
double flops(const Shape& shape, Part part);

/// A shape with the sources of its values.
struct KnownShape {
  Shape shape;
  std::string origin;   ///< "from the options", "batch from the trace", ...
  std::string missing;  ///< unknown members, if any: "heads, head_dim"
};

/// Completes the declared values (those that are not 0) for one report: from its labels batch, heads, tokens and
/// head_dim; tokens from ctx, or from px and patch as (px / patch)^2 and a class token; head_dim from dim / heads;
/// batch from `batched_products` / heads, the number of products in one batched kernel of the trace.
KnownShape complete(const Shape& declared, const StudyView& view, std::size_t report,
                    std::optional<double> batched_products);

}  // namespace assay::attention
