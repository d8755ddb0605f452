#include "parts.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "assay/algo/attribution.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay::attention {
namespace {

using Instance = NamedRanges::Instance;

enum class Role : std::uint8_t { kNotAsked, kNone, kProduct, kSoftmax, kWhole };

/// Roles of names, each determined once.
class Roles {
 public:
  Roles(const Report& report, const OperatorNames& names)
      : report_(&report), names_(&names), known_(static_cast<std::size_t>(report.strings.size), Role::kNotAsked) {}

  Role role_of(StringId name) {
    Role& role = known_[name];
    if (role == Role::kNotAsked) role = look(report_->string(name));
    return role;
  }

 private:
  [[nodiscard]] Role look(std::string_view name) const {
    const auto is_one_of = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_one_of(names_->products)) return Role::kProduct;
    if (is_one_of(names_->softmax)) return Role::kSoftmax;
    return is_one_of(names_->whole) ? Role::kWhole : Role::kNone;
  }

  const Report* report_;
  const OperatorNames* names_;
  std::vector<Role> known_;
};

/// The open operators of one thread.
struct Thread {
  std::int64_t step_reach = std::numeric_limits<std::int64_t>::min();   ///< end of the last product or softmax
  std::int64_t whole_reach = std::numeric_limits<std::int64_t>::min();  ///< end of the last whole attention
  std::optional<Instance> product;                                      ///< the last product that has not become the
                                                                        ///< values
  std::optional<Instance> scores, softmax;                              ///< a softmax still waiting for its values
};

void add_product(Thread& thread, const Instance& product, OperatorParts& parts) {
  if (!thread.softmax) {
    thread.product = product;
    return;
  }
  parts[kScores].push_back(*thread.scores);
  parts[kSoftmax].push_back(*thread.softmax);
  parts[kValues].push_back(product);
  thread.scores.reset();
  thread.softmax.reset();
}

void add_softmax(Thread& thread, const Instance& softmax) {
  thread.softmax.reset();
  thread.scores.reset();
  if (!thread.product) return;
  thread.scores.swap(thread.product);
  thread.softmax = softmax;
}

struct KernelNames {
  std::vector<char> product, fused;  ///< by name
};

/// Names of kernels of the two classes, each classified once.
KernelNames names_by_class(const Report& report, const Names& names) {
  const auto strings = static_cast<std::size_t>(report.strings.size);
  KernelNames out{std::vector<char>(strings, 0), std::vector<char>(strings, 0)};
  const KernelTable& kernels = *report.kernels;
  std::vector<char> asked(strings, 0);
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    const StringId name = kernels.name[k];
    if (asked[name] != 0) continue;
    asked[name] = 1;
    const std::string_view kind = names.rules.class_of(report.string(name));
    out.product[name] = kind == "matmul" ? 1 : 0;
    out.fused[name] = kind == "attention" ? 1 : 0;
  }
  return out;
}

/// The iteration that contains a range, kNone for none: in time, and on its thread if iterations overlap.
std::int32_t iteration_of(const Report& report, const NamedRanges::Instance& range) {
  if (report.iterations == nullptr) return kNone;
  const IterationTable& iterations = *report.iterations;
  const auto starts = iterations.start.view();
  auto row = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), range.start) - starts.begin());
  while (row-- > 0) {
    if (iterations.end[row] < range.end) continue;
    const std::uint32_t thread = iterations.thread[row];
    const bool fits =
        iterations.overlapping[row] != 0 ? thread == range.thread : report.threads->process[thread] == range.process;
    if (fits) return static_cast<std::int32_t>(row);
  }
  return kNone;
}

/// The measured time of one range of a part.
struct MeasuredRange {
  bool counts = false;
  std::int32_t iteration = kNone;
};

std::vector<MeasuredRange> measured_ranges(const Report& report, const NamedRanges& ranges, bool iterations_only) {
  std::vector<MeasuredRange> out;
  const Window& window = *report.window;
  for (const NamedRanges::Instance& r : ranges.instances()) {
    const std::int32_t iteration = iteration_of(report, r);
    const bool inside = window.named == 0 || (r.start >= window.host_start && r.end <= window.host_end);
    out.push_back({inside && (!iterations_only || iteration != kNone), iteration});
  }
  return out;
}

/// Grid z shared by all batched product kernels so far; 0: none yet, -1: they differ.
void note_grid(std::int64_t& common, const KernelTable& kernels, std::size_t row) {
  if (!kernels.grid_z.present()) return;
  const std::int64_t z = kernels.grid_z[row];
  common = common == 0 || common == z ? z : -1;
}

PartTime measure_part(const Report& report, const NamedRanges& ranges, const KernelNames& names,
                      const KernelBounds& bounds, bool iterations_only, std::int64_t& grid_z) {
  PartTime out;
  if (ranges.empty()) return out;
  const std::vector<MeasuredRange> measured = measured_ranges(report, ranges, iterations_only);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!measured[i].counts) continue;
    ++out.ranges;
    out.host += ranges.instances()[i].end - ranges.instances()[i].start;
  }
  UnionMeasure gpu, products;
  const std::size_t iterations = report.iterations != nullptr ? static_cast<std::size_t>(report.iterations->rows) : 0;
  std::vector<UnionMeasure> of_iteration(iterations);
  const KernelTable& kernels = *report.kernels;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.call[k] == kNone || kernels.membership[k] != Membership::kInside) continue;
    const std::int32_t instance = ranges.of_call(kernels.call[k]);
    if (instance == kNone || !measured[static_cast<std::size_t>(instance)].counts) continue;
    const StringId name = kernels.name[k];
    ++out.kernels;
    out.fused += names.fused[name];
    out.other_thread += ranges.is_other_thread(kernels.call[k], instance) ? 1 : 0;
    gpu.add(kernels.start[k], kernels.end[k]);
    if (bounds.joined()) bounds.add(k, static_cast<double>(kernels.end[k] - kernels.start[k]), out.bounds);
    if (names.product[name] != 0) {
      products.add(kernels.start[k], kernels.end[k]);
      note_grid(grid_z, kernels, k);
    }
    const std::int32_t iteration = measured[static_cast<std::size_t>(instance)].iteration;
    if (iteration != kNone) of_iteration[static_cast<std::size_t>(iteration)].add(kernels.start[k], kernels.end[k]);
  }
  out.gpu = gpu.total();
  out.products = products.total();
  for (const UnionMeasure& m : of_iteration) out.gpu_per_iteration.push_back(static_cast<double>(m.total()));
  return out;
}

using PartRanges = std::vector<NamedRanges>;  // by part

/// User ranges take precedence; if no part has any, the operators are used.
PartRanges ranges_of_parts(const Report& report, const Names& names, bool& by_operators) {
  PartRanges ranges;
  for (const std::vector<std::string>& patterns : names.ranges) ranges.emplace_back(report, patterns);
  by_operators = std::all_of(ranges.begin(), ranges.end(), [](const NamedRanges& r) { return r.empty(); });
  if (!by_operators) return ranges;
  OperatorParts parts = parts_by_operators(report, names.operators);
  ranges.clear();
  for (auto& instances : parts) ranges.emplace_back(report, std::move(instances));
  return ranges;
}

/// A kernel name without return type, template arguments and parameters.
std::string_view base_name(std::string_view name) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  return name.substr(0, name.find_first_of("<("));
}

FusedTime measure_fused(const Report& report, const std::vector<char>& fused, bool iterations_only) {
  FusedTime out;
  UnionMeasure gpu;
  const KernelTable& kernels = *report.kernels;
  const std::vector<std::int32_t> iteration = iteration_of_calls(report);
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (fused[kernels.name[k]] == 0 || kernels.membership[k] != Membership::kInside) continue;
    const Row call = kernels.call[k];
    if (iterations_only && (call == kNone || iteration[static_cast<std::size_t>(call)] == kNone)) continue;
    if (out.kernels++ == 0) out.name = base_name(report.string(kernels.name[k]));
    gpu.add(kernels.start[k], kernels.end[k]);
  }
  out.gpu = gpu.total();
  return out;
}

}  // namespace

OperatorParts parts_by_operators(const Report& report, const OperatorNames& names) {
  OperatorParts parts;
  if (report.ops == nullptr) return parts;
  const OpTable& ops = *report.ops;
  Roles roles(report, names);
  std::vector<Thread> threads(static_cast<std::size_t>(report.threads->rows));
  for (std::size_t o = 0; o < ops.rows; ++o) {
    if (ops.kind[o] != OpKind::kOperator) continue;
    const Role role = roles.role_of(ops.name[o]);
    if (role == Role::kNone) continue;
    Thread& thread = threads[ops.thread[o]];
    const Instance instance{ops.start[o], ops.end[o], report.threads->process[ops.thread[o]], ops.thread[o]};
    std::int64_t& reach = role == Role::kWhole ? thread.whole_reach : thread.step_reach;
    if (instance.end <= reach) continue;
    reach = instance.end;
    if (role == Role::kWhole) parts[kWhole].push_back(instance);
    if (role == Role::kProduct) add_product(thread, instance, parts);
    if (role == Role::kSoftmax) add_softmax(thread, instance);
  }
  return parts;
}

AttentionTime measure(const Report& report, const Names& names) {
  AttentionTime out;
  const KernelNames kernel_names = names_by_class(report, names);
  constexpr double kOfPeak = 0.6;  // a kernel below is bound by latency, as in kernel_bound
  const KernelBounds bounds(report, kOfPeak);
  std::int64_t grid_z = 0;
  const PartRanges ranges_of = ranges_of_parts(report, names, out.by_operators);
  for (std::size_t part = 0; part < kPartNames.size(); ++part) {
    const NamedRanges& ranges = ranges_of[part];
    std::int64_t unused = 0;  // for the whole, the products of the parts and the rest
    out.parts[part] =
        measure_part(report, ranges, kernel_names, bounds, names.iterations_only, part == kWhole ? unused : grid_z);
  }
  if (grid_z > 1) out.batched_products = grid_z;
  out.fused = measure_fused(report, kernel_names.fused, names.iterations_only);
  out.iterations = report.iterations != nullptr ? static_cast<std::size_t>(report.iterations->rows) : 0;
  return out;
}

}  // namespace assay::attention
