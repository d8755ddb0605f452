#include "forwards.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "assay/algo/iterations.hpp"

namespace assay::tokens {
namespace {

template <class Table>
std::optional<MemoryWork> memory_work(const Table* table, const IterationsInside& forwards) {
  if (table == nullptr) return std::nullopt;
  MemoryWork work;
  if (table->bytes.present()) work.bytes = 0;
  for (std::size_t row = 0; row < table->rows; ++row) {
    if (forwards.of(table->call[row]) == kNone) continue;
    work.time += table->end[row] - table->start[row];
    if (!work.bytes) continue;
    if (table->bytes[row] < 0) {
      work.bytes.reset();
    } else {
      *work.bytes += table->bytes[row];
    }
  }
  return work;
}

/// Display names of kernels with their classes; looked up once per name.
class Naming {
 public:
  Naming(const Report& report, const TokenClasses& classes) : report_(&report), classes_(&classes) {}

  using Key = std::pair<std::string_view, std::string>;  // class, short name
  const Key& key_of(std::size_t kernel) {
    const KernelTable& kernels = *report_->kernels;
    const StringId given = kernels.short_name.present() ? kernels.short_name[kernel] : 0;
    const auto [at, is_new] = known_.try_emplace({kernels.name[kernel], given});
    if (is_new) {
      const std::string_view full = report_->string(kernels.name[kernel]);
      at->second.first = classes_->class_of(full);
      at->second.second = given != 0 ? std::string(report_->string(given)) : base_name(full);
    }
    return at->second;
  }

 private:
  const Report* report_;
  const TokenClasses* classes_;
  std::map<std::pair<StringId, StringId>, Key> known_;
};

bool more_time(const NamedKernels& a, const NamedKernels& b) {
  return std::tuple(-a.time, a.kernel_class, std::string_view(a.name)) <
         std::tuple(-b.time, b.kernel_class, std::string_view(b.name));
}

}  // namespace

std::string base_name(std::string_view demangled) {
  // Finds the parameter list and the template arguments of the function itself; "(anonymous namespace)" belongs to its
  // scope.
  constexpr std::string_view anonymous = "(anonymous namespace)";
  std::string text(demangled);
  for (std::size_t at = text.find(anonymous); at != std::string::npos; at = text.find(anonymous)) {
    text.replace(at, anonymous.size(), "anonymous");
  }
  std::size_t end = text.size();
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth > 0) continue;
    if (c == '(') {
      end = i;
      break;
    }
    if (c == ' ' || (c == ':' && i + 1 < text.size() && text[i + 1] != ':')) begin = i + 1;
  }
  std::string name = text.substr(begin, end - begin);
  name = name.substr(0, name.find('<'));
  return name.empty() ? std::string(demangled) : name;
}

std::string_view TokenClasses::class_of(std::string_view kernel) const {
  const std::string_view by_rule = rules.class_of(kernel);
  const auto is_one_of = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), by_rule) != names.end();
  };
  if (is_one_of(dynamic)) return kDynamic;
  return is_one_of(memory) ? kMemory : kOther;
}

Forwards measure_forwards(const Report& report, const TokenClasses& classes) {
  Forwards out;
  const IterationsInside forwards(report);
  out.count = forwards.count();
  Naming naming(report, classes);
  constexpr double kOfPeak = 0.6;  // a kernel below is bound by latency, as in kernel_bound
  const KernelBounds bounds(report, kOfPeak);
  std::map<Naming::Key, std::size_t> row_of;
  const KernelTable& kernels = *report.kernels;
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (forwards.of(kernels.call[row]) == kNone) continue;
    const Naming::Key& key = naming.key_of(row);
    const auto [at, is_new] = row_of.try_emplace(key, out.kernels.size());
    if (is_new) out.kernels.push_back({key.first, key.second, 0, 0});
    NamedKernels& named = out.kernels[at->second];
    const std::int64_t time = kernels.end[row] - kernels.start[row];
    named.time += time;
    ++named.count;
    if (bounds.joined()) bounds.add(row, static_cast<double>(time), named.bounds);
  }
  std::sort(out.kernels.begin(), out.kernels.end(), more_time);
  out.copies = memory_work(report.copies, forwards);
  out.sets = memory_work(report.sets, forwards);
  return out;
}

std::vector<NamedKernels> bounded(std::vector<NamedKernels> kernels, std::size_t limit) {
  if (kernels.size() <= limit) return kernels;
  std::map<std::string_view, NamedKernels> rest;
  for (std::size_t i = limit; i < kernels.size(); ++i) {
    NamedKernels& sum = rest[kernels[i].kernel_class];
    sum.kernel_class = kernels[i].kernel_class;
    sum.name = kRest;
    sum.time += kernels[i].time;
    sum.count += kernels[i].count;
    sum.bounds += kernels[i].bounds;
  }
  kernels.resize(limit);
  for (auto& [kernel_class, sum] : rest) kernels.push_back(std::move(sum));
  return kernels;
}

}  // namespace assay::tokens
