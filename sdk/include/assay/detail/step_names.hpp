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

/// Default names of steps: those of PyTorch's profiler, and the most common one. All common ones are in
/// configs/data/step_names.toml.
inline constexpr std::string_view kPlainNames = "ProfilerStep#{i}, step_{i}";

struct NamePatterns {
  std::vector<std::string> steps;                     ///< names of steps; "{i}" stands for a number
  std::vector<std::string> data_loader = {};          ///< names for waiting on data; '*' stands for any text
  std::vector<std::string> communication = {};        ///< words in names of host events; ignores case (ASCII)
  std::string communication_class = "communication";  ///< of communication kernels, by the installed rules
};

/// Folded name (folded_name) of ranges that are likely steps, if no usual name occurs: among the outermost ranges that
/// occur at least three times on one thread, not concurrently on several threads of a process, and inside of which at
/// least half of the device work is launched. Empty: none. Warm-up does not count.
std::string found_steps(const Report& report);

enum class NameMeaning : std::uint8_t { kNotAsked, kNothing, kStep, kDataLoader, kCommunication };

/// Caches the classification per name, since names repeat by the thousand. Borrows all three.
class Names {
 public:
  Names(const Report& report, const NamePatterns& patterns, const NameRules& classes);

  /// Of a range, operator or annotation on the host.
  NameMeaning meaning_of(StringId name);
  [[nodiscard]] bool is_step(StringId name) { return meaning_of(name) == NameMeaning::kStep; }
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
