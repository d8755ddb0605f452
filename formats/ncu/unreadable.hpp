// Why nothing of a file of Nsight Compute can be read.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace assay::ncu {

/// A sentence about the file, which it calls "it", and what to do.
class Unreadable : public std::runtime_error {
 public:
  explicit Unreadable(const std::string& why, std::string what_to_do = {})
      : std::runtime_error(why), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

}  // namespace assay::ncu
