#include "algo/lever/roofs.hpp"

#include <algorithm>
#include <unordered_map>

#include "algo/replay/nodes.hpp"
#include "assay/algo/peaks.hpp"

namespace assay::lever {
namespace {

constexpr std::int64_t kLongKernel = 10'000;  ///< ns; chains of shorter kernels are a matter of launches
constexpr std::size_t kMostBetween = 11;      ///< kernels between softmax and a product of one attention
constexpr std::size_t kMostCasts = 4;         ///< pointwise kernels on each outer side of an attention

enum class KernelKind : std::uint8_t { kProduct, kSoftmax, kPointwise, kBetween, kOther };

struct Kernel {
  std::size_t item = 0;
  std::uint32_t node = 0;
  KernelKind kind = KernelKind::kOther;
  bool fp32 = false;      ///< a product of fp32 operands without tensor cores
  bool backward = false;  ///< by its name
  Place place = kNoPlace;
};

bool multiplies_fp32(std::string_view name) {
  const auto holds = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  return (holds("f32f32") || holds("sgemm") || holds("simt") || holds("ffma")) && !holds("tf32");
}

/// The kernels of a program in launch order.
std::vector<Kernel> kernels_of(const Program& program, const NameRules& classes) {
  const Report& report = program.report();
  std::vector<Kernel> out;
  if (report.kernels == nullptr || !report.kernels->name.present()) return out;
  std::unordered_map<StringId, Kernel> of_name;
  const auto named = [&](StringId name) -> const Kernel& {
    const auto [known, added] = of_name.try_emplace(name);
    if (!added) return known->second;
    const std::string_view text = report.string(name), of_class = classes.class_of(text);
    Kernel& kernel = known->second;
    kernel.backward = text.find("ackward") != std::string_view::npos;
    if (of_class == "matmul") {
      kernel.kind = KernelKind::kProduct;
      kernel.fp32 = multiplies_fp32(text);
    } else if (of_class == "softmax") {
      kernel.kind = KernelKind::kSoftmax;
    } else if (of_class == "elementwise" || of_class == "copy" || of_class == "fill" || of_class == "foreach") {
      kernel.kind = KernelKind::kPointwise;
    } else if (of_class != "attention" && of_class != "communication" && of_class != "convolution") {
      kernel.kind = KernelKind::kBetween;
    }
    return kernel;
  };
  for (std::size_t i = 0; i < program.items().size(); ++i) {
    for (const std::uint32_t n : program.work_of(program.items()[i])) {
      const replay::Node& node = program.graph().nodes[n];
      if (node.kind != replay::NodeKind::kKernel) continue;
      Kernel kernel = named(report.kernels->name[node.row]);
      kernel.item = i;
      kernel.node = n;
      kernel.place = program.items()[i].place;
      out.push_back(kernel);
    }
  }
  return out;
}

/// Of fp32 to others, dense; 0: not known.
struct PeakRatios {
  double tf32 = 0, bf16 = 0;
};
PeakRatios peak_ratios(const Report& report) {
  PeakRatios out;
  if (report.devices == nullptr || report.devices->rows == 0) return out;
  const roofline::Peaks peaks = roofline::peaks_of(*report.devices, 0);
  const double fp32 = peaks.flops(roofline::Rate::kFp32);
  const auto ratio = [&](roofline::Rate rate) { return peaks.flops(rate) > 0 ? fp32 / peaks.flops(rate) : 0; };
  return {ratio(roofline::Rate::kTf32), ratio(roofline::Rate::kFp16)};
}

Shortening fp32_products(const std::vector<Kernel>& kernels, double ratio) {
  Shortening out;
  for (const Kernel& kernel : kernels) {
    if (kernel.fp32) out.work.emplace_back(kernel.node, ratio);
  }
  return out;
}

/// First and last kernel of the attention around a softmax; empty: it is none.
class AttentionSpan {
 public:
  AttentionSpan(const std::vector<Kernel>& kernels, std::size_t softmax) : kernels_(kernels) {
    std::size_t before = softmax, after = softmax;  // the next kernels on each side that are not filled over
    for (std::size_t n = 0; n < kMostBetween && fills(kind_at(before, -1)); ++n) --before;
    for (std::size_t n = 0; n < kMostBetween && fills(kind_at(after, 1)); ++n) ++after;
    if (kind_at(before, -1) != KernelKind::kProduct || kind_at(after, 1) != KernelKind::kProduct) return;
    first = before - 1;
    last = after + 1;
    if (kernels[softmax].backward) {  // two products on each side
      if (kind_at(first, -1) == KernelKind::kProduct) --first;
      if (kind_at(last, 1) == KernelKind::kProduct) ++last;
    }
    const Place place = kernels[softmax].place;
    const auto casts = [&](std::size_t at) {
      return kernels_[at].kind == KernelKind::kPointwise && kernels_[at].place == place;
    };
    for (std::size_t n = 0; n < kMostCasts && first > 0 && casts(first - 1); ++n) --first;
    for (std::size_t n = 0; n < kMostCasts && last + 1 < kernels.size() && casts(last + 1); ++n) ++last;
    found = true;
  }
  std::size_t first = 0, last = 0;
  bool found = false;

 private:
  static bool fills(KernelKind kind) { return kind == KernelKind::kPointwise || kind == KernelKind::kBetween; }
  [[nodiscard]] KernelKind kind_at(std::size_t at, int by) const {
    const std::size_t next = at + static_cast<std::size_t>(by);  // wraps below 0
    return next < kernels_.size() ? kernels_[next].kind : KernelKind::kOther;
  }
  const std::vector<Kernel>& kernels_;
};

Shortening attention(const std::vector<Kernel>& kernels, double ratio) {
  Shortening out;
  std::size_t done = 0;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].kind != KernelKind::kSoftmax) continue;
    const AttentionSpan span(kernels, k);
    if (!span.found) continue;
    for (std::size_t i = std::max(done, span.first); i <= span.last; ++i) {
      const bool product = kernels[i].kind == KernelKind::kProduct;
      out.work.emplace_back(kernels[i].node, !product ? 0 : kernels[i].fp32 ? ratio : 1);
      if (i > span.first) out.launches.push_back(kernels[i].item);
    }
    done = std::max(done, span.last + 1);
  }
  return out;
}

Shortening pointwise(const Program& program, const std::vector<Kernel>& kernels) {
  Shortening out;
  const auto length = [&](const Kernel& kernel) {
    const replay::Node& node = program.graph().nodes[kernel.node];
    return program.graph().seen[node.end] - program.graph().seen[node.start];
  };
  for (std::size_t first = 0, last = 0; first < kernels.size(); first = std::max(last, first + 1)) {
    std::int64_t longest = 0;
    for (last = first; last < kernels.size() && kernels[last].kind == KernelKind::kPointwise &&
                       kernels[last].place == kernels[first].place;
         ++last)
      longest = std::max(longest, length(kernels[last]));
    if (last - first < 3 || longest < kLongKernel) continue;
    for (std::size_t k = first; k < last; ++k) {
      const auto own = static_cast<double>(length(kernels[k]));
      out.work.emplace_back(kernels[k].node, k == first && own > 0 ? static_cast<double>(longest) / own : 0);
      if (k > first) out.launches.push_back(kernels[k].item);
    }
  }
  return out;
}

}  // namespace

Shortening shortening_by(LeverKind lever, const Program& program, const NameRules& classes) {
  const bool roofs =
      lever == LeverKind::kFp32Products || lever == LeverKind::kAttention || lever == LeverKind::kPointwise;
  if (!roofs) return {};
  const std::vector<Kernel> kernels = kernels_of(program, classes);
  if (lever == LeverKind::kPointwise) return pointwise(program, kernels);
  const PeakRatios ratios = peak_ratios(program.report());
  if (lever == LeverKind::kFp32Products) return ratios.tf32 > 0 ? fp32_products(kernels, ratios.tf32) : Shortening{};
  return ratios.bf16 > 0 ? attention(kernels, ratios.bf16) : Shortening{};
}

}  // namespace assay::lever
