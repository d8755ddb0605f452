// What a file name says about the process that it is from: its rank, its role, its place among others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// From this many digits on, a number of a name is an id.
inline constexpr std::size_t kDigitsOfId = 5;

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The parts of a path below the given folder, without its extension.
struct NameParts {
  std::string text;                     ///< its words: each number as '#', a role as '@'
  std::vector<std::string> words;       ///< in front of each number, in lower case; empty: none
  std::vector<std::string> numbers;     ///< digits, in the order of the '#'
  std::optional<std::int64_t> rank;     ///< "rank3", "rank[3]", "_r3"
  bool one_letter = false;              ///< "_r3", which may also be the third repeat
  std::vector<std::int64_t> dimension;  ///< numbers after tp, pp, ..., in name order
  std::string role;                     ///< "decode", "policy"; empty: none
  std::string time;                     ///< digits of seconds or finer since 1970; empty: none

  /// The name but for its rank and role: equal for the ranks and roles of one run that is named after itself.
  [[nodiscard]] std::string but_rank() const;

 private:
  friend NameParts parts_of(std::string_view);
  std::vector<std::size_t> own;  ///< of numbers: those of the rank, of parallel dimensions, of a process and of a time
};

NameParts parts_of(std::string_view stem);

/// Whether numbers behind this word count runs: "run", "prof", "v".
bool counts_runs(std::string_view word);

/// Words of roles of a serving or reinforcement learning system, which run other programs as parts of one run.
bool names_a_role(std::string_view word);

}  // namespace assay
