#include "operators.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace assay::attention {
namespace {

using Instance = NamedRanges::Instance;

enum class Role : std::uint8_t { kNotAsked, kNone, kProduct, kSoftmax, kWhole };

/// Roles of names, each looked at once.
class Roles {
 public:
  Roles(const Report& report, const OperatorNames& names)
      : report_(&report), names_(&names), known_(static_cast<std::size_t>(report.strings.size), Role::kNotAsked) {}

  Role of(StringId name) {
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

/// What is open on one thread.
struct Thread {
  std::int64_t step_reach = std::numeric_limits<std::int64_t>::min();   ///< end of the last product or softmax
  std::int64_t whole_reach = std::numeric_limits<std::int64_t>::min();  ///< end of the last whole
  std::optional<Instance> product;                                      ///< the last one that is no values yet
  std::optional<Instance> scores, softmax;                              ///< a softmax that waits for its values
};

void take_product(Thread& thread, const Instance& product, OperatorParts& parts) {
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

void take_softmax(Thread& thread, const Instance& softmax) {
  thread.softmax.reset();
  thread.scores.reset();
  if (!thread.product) return;
  thread.scores.swap(thread.product);
  thread.softmax = softmax;
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
    const Role role = roles.of(ops.name[o]);
    if (role == Role::kNone) continue;
    Thread& thread = threads[ops.thread[o]];
    const Instance instance{ops.start[o], ops.end[o], report.threads->process[ops.thread[o]], ops.thread[o]};
    std::int64_t& reach = role == Role::kWhole ? thread.whole_reach : thread.step_reach;
    if (instance.end <= reach) continue;
    reach = instance.end;
    if (role == Role::kWhole) parts[kWhole].push_back(instance);
    if (role == Role::kProduct) take_product(thread, instance, parts);
    if (role == Role::kSoftmax) take_softmax(thread, instance);
  }
  return parts;
}

}  // namespace assay::attention
