// Names of API calls as nsys prints them.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/report.hpp"

namespace assay::nsys {

/// Without a version of four digits: "cudaLaunchKernel_v7000" is cudaLaunchKernel, but "cudaStreamIsCapturing_v10000"
/// is unchanged.
std::string_view call_name(std::string_view full);

/// Those names, each once, with dense numbers.
class CallNames {
 public:
  explicit CallNames(const Report& report);
  std::uint32_t id_of(StringId full);
  [[nodiscard]] std::string_view text(std::uint32_t name) const { return texts_[name]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  const Report& report_;
  std::vector<std::uint32_t> name_of_;  ///< by full name
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::vector<std::string_view> texts_;
};

}  // namespace assay::nsys
