// One event of a trace, as written.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "formats/torch/category.hpp"

namespace assay::load {

/// The members of an event's `args` that are read.
struct Args {
  static constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min();
  static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

  std::int64_t correlation = kAbsent, external_id = kAbsent;
  std::int64_t device = kAbsent, stream = kAbsent, context = kAbsent;
  std::int64_t registers = kAbsent, shared = kAbsent, graph_node = kAbsent, bytes = kAbsent;
  std::array<std::int64_t, 3> grid = {kAbsent, kAbsent, kAbsent}, block = {kAbsent, kAbsent, kAbsent};
  std::int64_t sequence_number = kAbsent, forward_thread = kAbsent;  ///< of operators, if requested
  std::int64_t record_call = kAbsent, record_stream = kAbsent;       ///< of synchronisations with an event
  double blocks_per_sm = kNoNumber, warps_per_sm = kNoNumber, occupancy = kNoNumber;
  std::int64_t python_id = kAbsent, python_parent = kAbsent, python_module = kAbsent;
  std::int64_t device_type = kAbsent, allocated = kAbsent, reserved = kAbsent, address = kAbsent;
  // of communication kernels; tokens point into the text
  std::int64_t elements_in = kAbsent, elements_out = kAbsent, group_size = kAbsent, sequence = kAbsent;
  std::int64_t source_rank = kAbsent, target_rank = kAbsent;  ///< of a receive; of a send
  std::string_view collective, dtype, group, group_ranks;
  std::string_view direction;                 ///< of a copy of MTIA
  std::string_view kernel;                    ///< of a launch: the name of the launched kernel
  std::string_view kernel_hash, kernel_file;  ///< of an operator that launches a generated kernel: its code
  bool odd = false;                           ///< a value that should be a number is not one
  bool has_handle = false;                    ///< a number is written in hexadecimal, as handles in memory are
  std::string_view input_dims, input_types, input_strides, concrete_inputs;  ///< of operators, if requested; JSON
};

/// An event is complete, or half of a pair on its thread.
enum class Phase : std::uint8_t { kComplete, kBegin, kEnd };

inline constexpr std::string_view kNoCategory = "(none)";
/// Operator around each call of torch.distributed, with the arguments of the call.
inline constexpr std::string_view kCommunicationCall = "record_param_comms";
/// How names of kernels that Inductor generates begin.
inline constexpr std::string_view kGeneratedKernel = "triton_";

/// Tokens point into the text and are valid until it moves on; empty: missing.
struct Event {
  Phase phase = Phase::kComplete;
  Category category = Category::kOther;
  bool odd = false;       ///< no phase, or complete without a category: not written by any profiler
  std::string_view name;  ///< between the quotes, with escapes unresolved
  std::string_view process, thread, time, duration;
  std::string_view unread;  ///< of a skipped time range: its category, or kNoCategory
  std::string_view label;   ///< of a row that names its process: the name
  Args args;
};

/// Receives events one by one, each completely read.
class EventSink {
 public:
  virtual void on_event(const Event& event) = 0;
  /// Whether args of this category are needed.
  [[nodiscard]] virtual bool wants_args(Category category) const = 0;
  /// Whether the descriptions of operator inputs are needed.
  [[nodiscard]] virtual bool wants_inputs() const = 0;
  /// Whether sends and receives of torch.distributed calls are needed.
  [[nodiscard]] virtual bool wants_messages() const = 0;
  /// Whether the autograd numbers of operators are needed.
  [[nodiscard]] virtual bool wants_sequences() const = 0;

 protected:
  ~EventSink() = default;
};

}  // namespace assay::load
