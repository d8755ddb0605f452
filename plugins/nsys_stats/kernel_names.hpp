// Names of kernels as a report was asked to show them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "groups.hpp"
#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// Dense numbers for them; with the innermost NVTX range around the launch before them where that was asked for. Where
/// the export has no base or mangled name, the demangled one stands for it, as in nsys.
class KernelNames {
 public:
  /// Needs `kernels`.
  KernelNames(const Report& report, const AskedNsysReport& asked);

  /// Whether the kernels have any name to show.
  [[nodiscard]] bool present() const { return demangled_.present() || wanted_.present(); }
  /// Of a row of kernels. Numbers rise in the order in which names come.
  std::uint32_t of(std::size_t kernel);
  [[nodiscard]] std::string_view text(std::uint32_t name) const { return texts_[name]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  /// Why there are other names than asked for; nothing where there are not.
  [[nodiscard]] std::vector<Remark> remarks() const;

 private:
  [[nodiscard]] StringId string_of(std::size_t kernel) const;
  std::uint32_t add(std::string_view text);
  /// The row of ranges around the launch; kNone: none.
  [[nodiscard]] Row range_of(std::size_t kernel) const;

  const Report& report_;
  KernelName kind_;
  Column<StringId> demangled_, wanted_;
  bool with_range_;
  std::vector<std::uint32_t> plain_;                           ///< by string, of kernels outside of ranges
  std::unordered_map<std::uint64_t, std::uint32_t> in_range_;  ///< by (range name, string)
  std::unordered_map<std::string, std::uint32_t> composed_;    ///< their texts
  RangeNames range_names_;
  std::vector<std::string_view> texts_;
};

}  // namespace assay::nsys
