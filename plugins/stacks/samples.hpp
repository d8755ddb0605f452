// Samples of threads (tables samples, stacks, frames), and the function of the program nearest to each.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "idle_stacks.hpp"

namespace assay::stacks {

class SampledStacks {
 public:
  explicit SampledStacks(const Report& report);

  /// Calls `use(time, stack)` for the samples of a thread, by time.
  template <class Use>
  void each_of(std::uint32_t thread, const Use& use) const {
    for (std::size_t s = 0; s < times_.size; ++s) {
      if (threads_[s] == static_cast<std::int64_t>(thread)) use(times_[s], stacks_[s]);
    }
  }
  /// The function of the program nearest to the top of a stack, a helper left to its caller; null: none is.
  [[nodiscard]] const IdleFunction* function_of(std::int64_t stack) const;
  /// The functions of the program on a stack, outermost first, joined by ';'.
  [[nodiscard]] std::string text_of(std::int64_t stack) const;
  /// Why no sample has a function of the program, a sentence; empty: some has.
  [[nodiscard]] std::string lack() const;

 private:
  void find_helpers();
  /// The frame of the program at a stack or the nearest caller, other than `but`; kNone: none. Moves `stack` to it.
  [[nodiscard]] std::int64_t frame_at(std::int64_t& stack, std::int64_t but = kNone) const;

  Column<std::int64_t> times_, threads_, stacks_, parents_, frames_;
  std::vector<std::optional<IdleFunction>> functions_;  ///< by frame; empty: not of the program
  std::set<std::int64_t> helpers_;                      ///< frames
  bool interprets_ = false;                             ///< some frame is the interpreter of Python
};

/// A function of all samples, whoever owns it.
struct SampledFunction {
  std::string text, file;
  double self = 0, total = 0;  ///< share of the weight of all samples, at the top and anywhere on the stack
};

/// Most in total first; empty: the report has no samples.
std::vector<SampledFunction> sampled_functions(const Report& report);

}  // namespace assay::stacks
