#include "formats/torch/read_event.hpp"

#include <algorithm>
#include <array>
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
  std::optional<std::int64_t> parsed = parse_decimal(token);
  if (!parsed) args.has_handle |= (parsed = parse_handle(token)).has_value();
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

/// A key of `args`, and where its value goes.
struct Field {
  std::string_view key;
  std::int64_t Args::* integer = nullptr;
  double Args::* number = nullptr;
  std::string_view Args::* text = nullptr;
  std::array<std::int64_t, 3> Args::* sizes = nullptr;
};
/// Sorted by key.
constexpr Field kFields[] = {
    {.key = "Addr", .integer = &Args::address},
    {.key = "Bytes", .integer = &Args::bytes},
    {.key = "Collective name", .text = &Args::collective},
    {.key = "Device Id", .integer = &Args::device},
    {.key = "Device Type", .integer = &Args::device_type},
    {.key = "Dst Rank", .integer = &Args::target_rank},
    {.key = "External id", .integer = &Args::external_id},
    {.key = "Fwd thread id", .integer = &Args::forward_thread},
    {.key = "Group size", .integer = &Args::group_size},
    {.key = "In msg nelems", .integer = &Args::elements_in},
    {.key = "Out msg nelems", .integer = &Args::elements_out},
    {.key = "Process Group Name", .text = &Args::group},
    {.key = "Process Group Ranks", .text = &Args::group_ranks},
    {.key = "Python id", .integer = &Args::python_id},
    {.key = "Python module id", .integer = &Args::python_module},
    {.key = "Python parent id", .integer = &Args::python_parent},
    {.key = "Seq", .integer = &Args::sequence},
    {.key = "Sequence number", .integer = &Args::sequence_number},
    {.key = "Src Rank", .integer = &Args::source_rank},
    {.key = "Total Allocated", .integer = &Args::allocated},
    {.key = "Total Reserved", .integer = &Args::reserved},
    {.key = "block", .sizes = &Args::block},
    {.key = "blocks per SM", .number = &Args::blocks_per_sm},
    {.key = "bytes", .integer = &Args::bytes},
    {.key = "context", .integer = &Args::context},
    {.key = "correlation", .integer = &Args::correlation},
    {.key = "device", .integer = &Args::device},
    {.key = "direction", .text = &Args::direction},
    {.key = "dtype", .text = &Args::dtype},
    {.key = "est. achieved occupancy %", .number = &Args::occupancy},
    {.key = "external id", .integer = &Args::external_id},
    {.key = "graph node id", .integer = &Args::graph_node},
    {.key = "grid", .sizes = &Args::grid},
    {.key = "kernel", .text = &Args::kernel},
    {.key = "kernel_file", .text = &Args::kernel_file},
    {.key = "kernel_hash", .text = &Args::kernel_hash},
    {.key = "registers per thread", .integer = &Args::registers},
    {.key = "shared memory", .integer = &Args::shared},
    {.key = "size", .integer = &Args::bytes},
    {.key = "stream", .integer = &Args::stream},
    {.key = "wait_on_cuda_event_record_corr_id", .integer = &Args::record_call},
    {.key = "wait_on_stream", .integer = &Args::record_stream},
    {.key = "warps per SM", .number = &Args::warps_per_sm},
};
static_assert(std::ranges::is_sorted(kFields, {}, &Field::key));

/// By the first letter of a key: place of its first field; that of the next letter ends them.
constexpr auto kFirst = [] {
  std::array<std::uint8_t, 129> first{};
  for (std::size_t letter = 0; letter < first.size(); ++letter) {
    const auto is_before = [&](const Field& field) { return static_cast<std::size_t>(field.key[0]) < letter; };
    first[letter] = static_cast<std::uint8_t>(std::ranges::count_if(kFields, is_before));
  }
  return first;
}();

error_code read_field(const Field& field, Value& value, Args& args) {
  if (field.sizes != nullptr) return dimensions(value, args.*field.sizes, args);
  if (field.integer != nullptr) args.*field.integer = integer(value, args);
  if (field.text != nullptr) args.*field.text = inner(value.raw_json_token());
  if (field.number != nullptr) args.*field.number = number(value, args);
  if (field.number == &Args::occupancy) args.occupancy /= 100;  // percent
  return SUCCESS;
}

/// `key` ends with a quote, and the text behind it is readable.
error_code read_arg(const char* key, Value& value, Args& args) {
  const auto letter = static_cast<unsigned char>(key[0]);
  if (letter + 1U >= kFirst.size()) return SUCCESS;
  for (std::size_t f = kFirst[letter]; f < kFirst[letter + 1U]; ++f) {
    const std::string_view name = kFields[f].key;
    if (std::memcmp(key, name.data(), name.size()) == 0 && key[name.size()] == '"')
      return read_field(kFields[f], value, args);
  }
  return SUCCESS;
}

/// Unless inputs are requested, an operator has a single useful number among long descriptions of its inputs.
bool has_all(Category category, const Args& args) {
  return (category == Category::kOperator || category == Category::kAnnotation) && args.external_id != Args::kAbsent;
}

/// Which of an operator's long args are requested.
struct OpWants {
  bool inputs = false, sequences = false, rest = false;
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
    if (!wants.inputs && !wants.sequences && !wants.rest && has_all(category, args)) break;
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
  /// An arrow between events: a third of a trace.
  [[nodiscard]] bool is_arrow() const { return phase == 's' || phase == 't' || phase == 'f'; }
};

constexpr std::string_view kMemory = "[memory]", kNamesProcess = "process_name";
/// Process name of operators in the profiler before kineto (torch.autograd, until 2021), which wrote no categories.
constexpr std::string_view kFirstProfiler = "CPU functions";

/// Whether the event is not needed, whatever its other members are.
bool is_idle(const PartialEvent& kind, const Event& event) {
  if (kind.phase == '\0') return false;
  if (kind.is_instant()) return kind.has_name && event.name != kMemory;
  if (kind.phase == 'M') return kind.has_name && event.name != kNamesProcess;
  if (kind.phase == 'B' || kind.phase == 'E') return false;  // a begin is needed if its end is
  if (kind.is_arrow() || event.odd) return true;
  if (kind.phase != 'X') return kind.has_category;  // work of no range is told
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
      if (kind.has_name) event.category = category_by_name(event.category, cat, event.name);
    } else if (is(key, "name")) {
      event.name = string_in(value.raw_json_token());
      kind.has_name = true;
      if (kind.has_category) event.category = category_by_name(event.category, cat, event.name);
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
                          op && sink.wants_messages() &&
                              (event.name == kCommunicationCall || event.name.starts_with(kGeneratedKernel))};
      if (const error_code error = read_args(value, category, wants, event.args)) return error;
    }
    if (!is_idle(kind, event)) continue;
    event.odd |= !kind.is_range() && !kind.is_arrow() && event.category != Category::kOther;
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
