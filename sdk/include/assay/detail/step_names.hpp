// Classifies names of host events and kernels by the patterns of the options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/report.hpp"

namespace assay::step {

/// Whether a name matches the pattern, in which every '*' stands for any text. Whole strings, case-sensitive. Time at
/// most (length of name) x (length of pattern).
bool matches(std::string_view pattern, std::string_view name);

struct NamePatterns {
  std::vector<std::string> data_loader = {};          ///< names for waiting on data; '*' stands for any text
  std::vector<std::string> communication = {};        ///< words in names of host events; ignores case (ASCII)
  std::string communication_class = "communication";  ///< of communication kernels, by the installed rules
};

enum class NameMeaning : std::uint8_t { kNotAsked, kNothing, kDataLoader, kCommunication };

/// Caches the classification per name, since names repeat by the thousand. Borrows all three.
class Names {
 public:
  Names(const Report& report, const NamePatterns& patterns, const NameRules& classes);

  /// Of a range, operator or annotation on the host.
  NameMeaning meaning_of(StringId name);
  /// Of a kernel: by its class, or without rules by the words for host events.
  [[nodiscard]] bool kernel_communicates(StringId name);

 private:
  [[nodiscard]] NameMeaning look_up(std::string_view name) const;

  const Report* report_;
  const NamePatterns* patterns_;
  const NameRules* classes_;
  std::vector<std::string> words_;  ///< of communication, in lower case
  std::vector<NameMeaning> known_, known_kernels_;
};

}  // namespace assay::step
