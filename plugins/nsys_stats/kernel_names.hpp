// Names of kernels as requested for a report.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "groups.hpp"
#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// The range of a thread that contains a call: among those that end on the thread, the one that began last, push/pop or
/// start/end.
class InnermostRanges {
 public:
  explicit InnermostRanges(const Report& report);
  /// Text of the range without its domain, as nsys puts it before a kernel name; empty outside of ranges. `later_than`:
  /// only ranges that start later are considered; receives the start of the one found.
  [[nodiscard]] std::optional<StringId> innermost_before(std::size_t call, std::int64_t& later_than) const;

 private:
  struct Thread {
    std::vector<std::uint32_t> ranges;     ///< of instances_, by start
    std::vector<std::int64_t> latest_end;  ///< a tree over them: node n has the latest end below 2n and 2n + 1
    std::size_t leaves = 0;
  };
  const Report& report_;
  std::vector<Instance> instances_;
  std::vector<Thread> threads_;
};

/// Dense numbers for kernel names, on request prefixed with the innermost NVTX range around the launch. If the export
/// has no base or mangled name, the demangled one is used, as in nsys.
class KernelNames {
 public:
  /// Needs `kernels`.
  KernelNames(const Report& report, const Task& task);

  /// Whether the kernels have any name to show.
  [[nodiscard]] bool present() const { return demangled_.present() || wanted_.present(); }
  /// For a row of kernels. Numbers are assigned in order of appearance.
  std::uint32_t id_of(std::size_t kernel);
  [[nodiscard]] std::string_view text(std::uint32_t name) const { return texts_[name]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  /// Why names differ from the requested ones; empty if they do not.
  [[nodiscard]] std::vector<Remark> remarks() const;

 private:
  [[nodiscard]] StringId string_of(std::size_t kernel) const;
  std::uint32_t add(std::string_view text);
  /// The text of the range around the launch, or around any call with its id if those count too.
  [[nodiscard]] std::optional<StringId> range_of(std::size_t kernel) const;

  const Report& report_;
  KernelName kind_;
  Column<StringId> demangled_, wanted_;
  bool of_twins_;
  std::optional<InnermostRanges> innermost_;                   ///< if ranges were requested
  std::vector<std::uint32_t> plain_;                           ///< by string, for kernels outside of ranges
  std::unordered_map<std::uint64_t, std::uint32_t> in_range_;  ///< by (text of the range, string)
  std::unordered_map<std::string, std::uint32_t> composed_;    ///< their texts
  std::vector<std::string_view> texts_;
};

}  // namespace assay::nsys
