#include "kernel_names.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace assay::nsys {
namespace {

Column<StringId> column_of(const KernelTable& kernels, KernelName name) {
  return name == KernelName::kBase      ? kernels.short_name
         : name == KernelName::kMangled ? kernels.mangled_name
                                        : kernels.name;
}

}  // namespace

InnermostRanges::InnermostRanges(const Report& report)
    : report_(report), instances_(all_instances(report, Instances::kOfCapture).rows), threads_(report.threads->rows) {
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    const Instance& range = instances_[i];
    const RangeTable& table = range.style == Style::kPushPop ? *report.ranges : *report.spans;
    if (table.end_thread[range.row] == range.thread) threads_[range.thread].ranges.push_back(i);
  }
  for (Thread& thread : threads_) {
    std::ranges::stable_sort(thread.ranges, {}, [&](std::uint32_t i) { return instances_[i].start; });
    thread.leaves = std::bit_ceil(thread.ranges.size());
    thread.latest_end.assign(2 * thread.leaves, std::numeric_limits<std::int64_t>::min());
    for (std::size_t i = 0; i < thread.ranges.size(); ++i)
      thread.latest_end[thread.leaves + i] = instances_[thread.ranges[i]].end;
    for (std::size_t node = thread.leaves; --node > 0;)
      thread.latest_end[node] = std::max(thread.latest_end[2 * node], thread.latest_end[2 * node + 1]);
  }
}

std::optional<StringId> InnermostRanges::innermost_before(std::size_t call, std::int64_t& later_than) const {
  const Thread& thread = threads_[report_.calls->thread[call]];
  const std::int64_t start = report_.calls->start[call], end = report_.calls->end[call];
  const auto start_of = [&](std::uint32_t i) { return instances_[i].start; };
  const auto began = std::ranges::upper_bound(thread.ranges, start, {}, start_of) - thread.ranges.begin();
  // The last of the first `began` that ends late enough: up the tree to a node on the left that contains one, then
  // down.
  std::size_t node = thread.leaves + static_cast<std::size_t>(began);
  while (node > 1 && !(node % 2 == 1 && thread.latest_end[node - 1] >= end)) node /= 2;
  if (node <= 1) return std::nullopt;
  for (--node; node < thread.leaves;) node = 2 * node + (thread.latest_end[2 * node + 1] >= end ? 1 : 0);
  std::size_t at = node - thread.leaves;
  // Of those that started together the first in the export, if it contains the call.
  for (std::size_t i = at; i-- > 0 && start_of(thread.ranges[i]) == start_of(thread.ranges[node - thread.leaves]);) {
    if (instances_[thread.ranges[i]].end >= end) at = i;
  }
  const Instance& found = instances_[thread.ranges[at]];
  if (found.start <= later_than) return std::nullopt;
  later_than = found.start;
  return (found.style == Style::kPushPop ? report_.ranges : report_.spans)->name[found.row];
}

KernelNames::KernelNames(const Report& report, const Task& task)
    : report_(report),
      kind_(task.asked.name),
      demangled_(report.kernels->name),
      wanted_(column_of(*report.kernels, task.asked.name)),
      of_twins_(!task.corrected() && report.calls != nullptr && report.calls->twin.present()),
      plain_(report.strings.size, kNoGroup) {
  if (task.asked.with_range && report.calls != nullptr && (report.ranges != nullptr || report.spans != nullptr))
    innermost_.emplace(report);
}

StringId KernelNames::string_of(std::size_t kernel) const {
  if (wanted_.present() && (wanted_[kernel] != 0 || !demangled_.present())) return wanted_[kernel];
  return demangled_[kernel];
}

std::uint32_t KernelNames::add(std::string_view text) {
  texts_.push_back(text);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

std::optional<StringId> KernelNames::range_of(std::size_t kernel) const {
  std::optional<StringId> text;
  std::int64_t later_than = std::numeric_limits<std::int64_t>::min();
  for (Row call = report_.kernels->call[kernel]; call != kNone;
       call = of_twins_ ? report_.calls->twin[static_cast<std::size_t>(call)] : kNone) {
    if (const auto inner = innermost_->innermost_before(static_cast<std::size_t>(call), later_than)) text = inner;
  }
  return text;
}

std::uint32_t KernelNames::id_of(std::size_t kernel) {
  const StringId string = string_of(kernel);
  const std::optional<StringId> range = innermost_ ? range_of(kernel) : std::nullopt;
  if (!range) {
    std::uint32_t& name = plain_[string];
    if (name == kNoGroup) name = add(report_.string(string));
    return name;
  }
  const auto [entry, is_new] = in_range_.try_emplace(std::uint64_t{*range} << 32 | string, kNoGroup);
  if (is_new) {
    std::string whole(report_.string(*range));
    whole.append("/").append(report_.string(string));
    const auto [text, is_new_text] = composed_.try_emplace(std::move(whole), kNoGroup);
    if (is_new_text) text->second = add(text->first);  // map nodes keep the address of their key
    entry->second = text->second;
  }
  return entry->second;
}

std::vector<Remark> KernelNames::remarks() const {
  if (wanted_.present() || kind_ == KernelName::kDemangled) return {};
  const std::string kind = kind_ == KernelName::kBase ? "base" : "mangled";
  return {{"no_" + kind + "_names", 0,
           "The export has no " + kind + " names of kernels; as in nsys, the demangled names are used instead."}};
}

}  // namespace assay::nsys
