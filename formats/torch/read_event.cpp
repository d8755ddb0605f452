#include "formats/torch/read_event.hpp"

#include <cstring>
#include <optional>

#include "formats/torch/number.hpp"

namespace assay::load {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;
using Value = simdjson::ondemand::value;

/// Whether the raw key (after its opening quote) equals `word`. The text after it is readable.
template <std::size_t N>
bool is(const char* key, const char (&word)[N]) {
  return std::memcmp(key, word, N - 1) == 0 && key[N - 1] == '"';
}

/// A string token without its quotes; other tokens unchanged.
std::string_view inner(std::string_view token) {
  if (token.empty() || token.front() != '"') return bare(token);
  const std::size_t last = token.rfind('"');
  return last == 0 ? std::string_view() : token.substr(1, last - 1);
}

/// A string token without its quotes; empty for other tokens.
std::string_view string_in(std::string_view token) {
  return token.starts_with('"') ? inner(token) : std::string_view();
}

/// A number or a string; empty for null.
std::string_view id_in(std::string_view token) {
  const std::string_view id = inner(token);
  return id == "null" ? std::string_view() : id;
}

/// Whether a value that is not a 64-bit number means "none": profilers also write -1 as the largest unsigned number.
bool says_none(std::string_view token) {
  const std::string_view value = inner(token);
  return value == "null" || value == "None" || value == "18446744073709551615";
}

std::int64_t integer(Value& value, Args& args) {
  const std::string_view token = value.raw_json_token();
  const std::optional<std::int64_t> parsed = parse_decimal(token);
  args.odd |= !parsed && !says_none(token);
  return parsed.value_or(Args::kAbsent);
}

/// A floating-point number; NaN for anything else.
double number(Value& value, Args& args) {
  double parsed = 0;
  if (value.get_double().get(parsed) == SUCCESS || value.get_double_in_string().get(parsed) == SUCCESS) return parsed;
  args.odd |= !says_none(value.raw_json_token());
  return Args::kNoNumber;
}

/// [x, y, z]; missing components are 1.
error_code dimensions(Value& value, std::array<std::int64_t, 3>& sizes, Args& args) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != SUCCESS) {
    args.odd |= !says_none(value.raw_json_token());
    return SUCCESS;
  }
  sizes = {1, 1, 1};
  std::size_t axis = 0;
  for (auto element : array) {
    Value size;
    if (const error_code error = element.get(size)) return error;
    if (axis < sizes.size()) sizes[axis++] = integer(size, args);
  }
  return SUCCESS;
}

/// The text of a list.
std::string_view list(Value& value) {
  simdjson::ondemand::array array;
  std::string_view text;
  return value.get_array().get(array) == SUCCESS && array.raw_json().get(text) == SUCCESS ? text : std::string_view();
}

/// Whether the key describes inputs of an operator; if so, reads the value.
bool read_inputs(const char* key, Value& value, Args& args) {
  if (key[0] == 'C' && is(key, "Concrete Inputs")) {
    args.concrete_inputs = list(value);
    return true;
  }
  if (key[0] != 'I') return false;
  if (is(key, "Input Dims") || is(key, "Input dims")) {
    args.input_dims = list(value);
    return true;
  }
  if (is(key, "Input type") || is(key, "Input types")) {
    args.input_types = list(value);
    return true;
  }
  if (is(key, "Input Strides")) {
    args.input_strides = list(value);
    return true;
  }
  return false;
}

error_code read_arg(const char* key, Value& value, Args& args) {
  switch (key[0]) {
    case 'E':
    case 'e':
      if (std::memcmp(key + 1, "xternal id\"", 11) == 0) args.external_id = integer(value, args);
      if (is(key, "est. achieved occupancy %")) args.occupancy = number(value, args) / 100;
      break;
    case 'A':
      if (is(key, "Addr")) args.address = integer(value, args);
      break;
    case 'C':
      if (is(key, "Collective name")) args.collective = inner(value.raw_json_token());
      break;
    case 'G':
      if (is(key, "Group size")) args.group_size = integer(value, args);
      break;
    case 'I':
      if (is(key, "In msg nelems")) args.elements_in = integer(value, args);
      break;
    case 'O':
      if (is(key, "Out msg nelems")) args.elements_out = integer(value, args);
      break;
    case 'S':
      if (is(key, "Seq")) args.sequence = integer(value, args);
      if (is(key, "Src Rank")) args.source_rank = integer(value, args);
      if (is(key, "Sequence number")) args.sequence_number = integer(value, args);
      break;
    case 'F':
      if (is(key, "Fwd thread id")) args.forward_thread = integer(value, args);
      break;
    case 'c':
      if (is(key, "correlation")) args.correlation = integer(value, args);
      if (is(key, "context")) args.context = integer(value, args);
      break;
    case 'd':
      if (is(key, "device")) args.device = integer(value, args);
      if (is(key, "dtype")) args.dtype = inner(value.raw_json_token());
      break;
    case 's':
      if (is(key, "stream")) args.stream = integer(value, args);
      if (is(key, "shared memory")) args.shared = integer(value, args);
      break;
    case 'k':
      if (is(key, "kernel")) args.kernel = inner(value.raw_json_token());
      break;
    case 'r':
      if (is(key, "registers per thread")) args.registers = integer(value, args);
      break;
    case 'b':
      if (is(key, "block")) return dimensions(value, args.block, args);
      if (is(key, "blocks per SM")) args.blocks_per_sm = number(value, args);
      if (is(key, "bytes")) args.bytes = integer(value, args);
      break;
    case 'w':
      if (is(key, "warps per SM")) args.warps_per_sm = number(value, args);
      if (is(key, "wait_on_stream")) args.record_stream = integer(value, args);
      if (is(key, "wait_on_cuda_event_record_corr_id")) args.record_call = integer(value, args);
      break;
    case 'g':
      if (is(key, "grid")) return dimensions(value, args.grid, args);
      if (is(key, "graph node id")) args.graph_node = integer(value, args);
      break;
    case 'P':
      if (is(key, "Python id")) args.python_id = integer(value, args);
      if (is(key, "Python parent id")) args.python_parent = integer(value, args);
      if (is(key, "Python module id")) args.python_module = integer(value, args);
      if (is(key, "Process Group Name")) args.group = inner(value.raw_json_token());
      if (is(key, "Process Group Ranks")) args.group_ranks = inner(value.raw_json_token());
      break;
    case 'B':
      if (is(key, "Bytes")) args.bytes = integer(value, args);
      break;
    case 'D':
      if (is(key, "Device Id")) args.device = integer(value, args);
      if (is(key, "Dst Rank")) args.target_rank = integer(value, args);
      if (is(key, "Device Type")) args.device_type = integer(value, args);
      break;
    case 'T':
      if (is(key, "Total Allocated")) args.allocated = integer(value, args);
      if (is(key, "Total Reserved")) args.reserved = integer(value, args);
      break;
    default:
      break;
  }
  return SUCCESS;
}

/// Unless inputs are requested, an operator has a single useful number among long descriptions of its inputs.
bool has_all(Category category, const Args& args) {
  return (category == Category::kOperator || category == Category::kAnnotation) && args.external_id != Args::kAbsent;
}

/// Which of an operator's long args are requested.
struct OpWants {
  bool inputs = false, sequences = false, message = false;
};

error_code read_args(Value& value, Category category, OpWants wants, Args& args) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object) != SUCCESS) return SUCCESS;
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (const error_code error = std::move(member).get(field)) return error;
    const char* key = field.key().raw();
    if (wants.inputs && read_inputs(key, field.value(), args)) continue;
    if (const error_code error = read_arg(key, field.value(), args)) return error;
    if (!wants.inputs && !wants.sequences && !wants.message && has_all(category, args)) break;
  }
  return SUCCESS;
}

/// What is known of an event before it is completely read. Keys may occur in any order.
struct PartialEvent {
  char phase = '\0';  ///< 0: not seen; also below
  bool has_category = false, has_name = false;
  [[nodiscard]] bool is_instant() const { return phase == 'i' || phase == 'I'; }
  /// A time range, or the beginning of one.
  [[nodiscard]] bool is_range() const { return phase == 'X' || phase == 'B'; }
};

constexpr std::string_view kMemory = "[memory]", kNamesProcess = "process_name";
/// Process name of operators in the profiler before kineto (torch.autograd, until 2021), which wrote no categories.
constexpr std::string_view kFirstProfiler = "CPU functions";

/// Whether the event is not needed, whatever its other members are.
bool is_idle(const PartialEvent& kind, const Event& event) {
  if (kind.phase == '\0') return false;
  if (kind.is_instant()) return kind.has_name && event.name != kMemory;
  if (kind.phase == 'M') return kind.has_name && event.name != kNamesProcess;
  if (kind.phase != 'X') return kind.phase != 'B' && kind.phase != 'E';  // a begin is needed if its end is
  return kind.has_category && event.category == Category::kOther;
}

}  // namespace

error_code read_event(simdjson::ondemand::object object, const EventSink& sink, Event& event, bool& wanted) {
  event = {};
  wanted = false;
  PartialEvent kind;
  std::string_view cat;
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (const error_code error = std::move(member).get(field)) return error;
    const char* key = field.key().raw();
    Value& value = field.value();
    if (is(key, "ph")) {
      const std::string_view phase = inner(value.raw_json_token());
      kind.phase = phase.size() == 1 ? phase.front() : '?';
      event.odd = phase.size() != 1 || (phase.front() >= '0' && phase.front() <= '9');
    } else if (is(key, "cat")) {
      cat = string_in(value.raw_json_token());
      event.category = category_of(cat);
      kind.has_category = !cat.empty();
    } else if (is(key, "name")) {
      event.name = string_in(value.raw_json_token());
      kind.has_name = true;
    } else if (is(key, "pid")) {
      event.process = id_in(value.raw_json_token());
    } else if (is(key, "tid")) {
      event.thread = id_in(value.raw_json_token());
    } else if (is(key, "ts")) {
      event.time = value.raw_json_token();
    } else if (is(key, "dur")) {
      event.duration = value.raw_json_token();
    } else if (is(key, "args") && event.name == kNamesProcess) {
      std::string_view label;
      if (value["name"].get_string().get(label) == SUCCESS) event.label = label;
    } else if (is(key, "args")) {
      const bool known = kind.is_range() && kind.has_category;
      if (known && !sink.wants_args(event.category)) continue;
      const Category category = known ? event.category : Category::kOther;
      const bool op = !known || category == Category::kOperator;
      const OpWants wants{op && sink.wants_inputs(), op && sink.wants_sequences(),
                          op && event.name == kCommunicationCall && sink.wants_messages()};
      if (const error_code error = read_args(value, category, wants, event.args)) return error;
    }
    if (!is_idle(kind, event)) continue;
    if (kind.phase == 'X' && !repeats_others(cat)) event.unread = cat;
    return SUCCESS;
  }
  if (kind.is_instant()) event.category = Category::kMemory;
  if (kind.is_range() && !kind.has_category && event.process == kFirstProfiler) event.category = Category::kOperator;
  if (kind.phase == '\0' || (kind.phase == 'X' && !kind.has_category && event.category == Category::kOther))
    event.odd = !event.time.empty();
  event.phase = kind.phase == 'B' ? Phase::kBegin : kind.phase == 'E' ? Phase::kEnd : Phase::kComplete;
  wanted = kind.phase == 'X'   ? event.category != Category::kOther
           : kind.is_instant() ? event.name == kMemory
                               : event.phase != Phase::kComplete;
  if (kind.phase == 'X' && !wanted && !kind.has_category) event.unread = kNoCategory;
  return SUCCESS;
}

}  // namespace assay::load
