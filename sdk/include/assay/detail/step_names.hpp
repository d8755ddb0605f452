// What a name on the host or of a kernel stands for, by the patterns of the options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/report.hpp"

namespace assay::step {

/// Whether a name is the pattern, in which every '*' stands for any text. Whole strings, case-sensitive. Takes
/// (length of name) x (length of pattern) at most.
bool matches(std::string_view pattern, std::string_view name);

/// Names of steps where a question gives none: those of PyTorch's profiler, and the most usual one. The list of all
/// usual ones is configs/data/step_names.toml.
inline constexpr std::string_view kPlainNames = "ProfilerStep#{i}, step_{i}";

struct NamePatterns {
  std::vector<std::string> steps;                     ///< names of steps; "{i}" stands for a number
  std::vector<std::string> data_loader = {};          ///< names of waiting for data; '*' stands for any text
  std::vector<std::string> communication = {};        ///< words in names of host events; case (ASCII) does not matter
  std::string communication_class = "communication";  ///< of kernels that communicate, by the installed rules
};

/// Names of ranges that are steps, folded (folded_name), where no usual name is there: of the outermost ranges that
/// occur three times or more on one thread, not beside each other on several threads of a process, and inside of which
/// at least half of the device work is launched. Empty: none. Warm-up is none.
std::string found_steps(const Report& report);

enum class NameMeaning : std::uint8_t { kNotAsked, kNothing, kStep, kDataLoader, kCommunication };

/// Remembers what it found out for a name, since names repeat by the thousand. Borrows all three.
class Names {
 public:
  Names(const Report& report, const NamePatterns& patterns, const NameRules& classes);

  /// Of a range, operator or annotation on the host.
  NameMeaning meaning_of(StringId name);
  [[nodiscard]] bool is_step(StringId name) { return meaning_of(name) == NameMeaning::kStep; }
  /// Of a kernel: by its class, and without rules by the words for host events.
  [[nodiscard]] bool kernel_communicates(StringId name);

 private:
  [[nodiscard]] NameMeaning look_up(std::string_view name) const;

  const Report* report_;
  const NamePatterns* patterns_;
  const NameRules* classes_;
  std::vector<std::string> words_;  ///< of communication, in small letters
  std::vector<NameMeaning> known_, known_kernels_;
};

}  // namespace assay::step
