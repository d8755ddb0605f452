// One event of a trace as it stands in the text.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "formats/torch/category.hpp"

namespace assay::load {

/// What of an event's `args` is read.
struct Args {
  static constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min();
  static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

  std::int64_t correlation = kAbsent, external_id = kAbsent;
  std::int64_t device = kAbsent, stream = kAbsent, context = kAbsent;
  std::int64_t registers = kAbsent, shared = kAbsent, graph_node = kAbsent, bytes = kAbsent;
  std::array<std::int64_t, 3> grid = {kAbsent, kAbsent, kAbsent}, block = {kAbsent, kAbsent, kAbsent};
  std::int64_t sequence_number = kAbsent, forward_thread = kAbsent;  ///< of operators, where they are asked for
  std::int64_t record_call = kAbsent, record_stream = kAbsent;       ///< of synchronisations with an event
  double blocks_per_sm = kNoNumber, warps_per_sm = kNoNumber, occupancy = kNoNumber;
  std::int64_t python_id = kAbsent, python_parent = kAbsent, python_module = kAbsent;
  std::int64_t device_type = kAbsent, allocated = kAbsent, reserved = kAbsent, address = kAbsent;
  // of kernels that communicate; tokens point into the text
  std::int64_t elements_in = kAbsent, elements_out = kAbsent, group_size = kAbsent, sequence = kAbsent;
  std::int64_t source_rank = kAbsent, target_rank = kAbsent;  ///< of a receive; of a send
  std::string_view collective, dtype, group, group_ranks;
  std::string_view kernel;  ///< of a launch: the name of what it launches
  bool odd = false;         ///< a value that should be a number is none
  std::string_view input_dims, input_types, input_strides, concrete_inputs;  ///< of operators, where asked for; JSON
};

/// An event is whole, or one half of a pair on its thread.
enum class Phase : std::uint8_t { kComplete, kBegin, kEnd };

inline constexpr std::string_view kNoCategory = "(none)";
/// Operator around each call of torch.distributed, which carries what the call was given.
inline constexpr std::string_view kCommunicationCall = "record_param_comms";

/// Tokens point into the text and are valid until it moves on; empty: not there.
struct Event {
  Phase phase = Phase::kComplete;
  Category category = Category::kOther;
  bool odd = false;       ///< without a phase, or a whole one without a category: no event of a profiler is
  std::string_view name;  ///< between the quotes, escapes as they stand
  std::string_view process, thread, time, duration;
  std::string_view unread;  ///< of a range of time that is passed over: its category, or kNoCategory
  std::string_view label;   ///< of a row that names its process: the name
  Args args;
};

/// Takes events one by one, each wholly read.
class EventSink {
 public:
  virtual void on_event(const Event& event) = 0;
  /// Whether args of this category are of use.
  [[nodiscard]] virtual bool wants_args(Category category) const = 0;
  /// Whether the descriptions of operators' inputs are of use.
  [[nodiscard]] virtual bool wants_inputs() const = 0;
  /// Whether what calls of torch.distributed send and receive is of use.
  [[nodiscard]] virtual bool wants_messages() const = 0;
  /// Whether operators' numbers of autograd are of use.
  [[nodiscard]] virtual bool wants_sequences() const = 0;

 protected:
  ~EventSink() = default;
};

}  // namespace assay::load
