#include "query/functions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "assay/algo/intervals.hpp"
#include "assay/algo/summary.hpp"
#include "load/kernel_name.hpp"
#include "sqlite/database.hpp"

namespace assay::query {
namespace {

constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

constexpr std::array<FunctionText, 12> kTexts{{
    {"ms(ns), us(ns)", "nanoseconds as milliseconds or microseconds"},
    {"union_ns(start, end)", "aggregate: time covered by at least one interval, no double counting"},
    {"median(x)", "aggregate: the middle value, or the mean of the middle two"},
    {"quantile(x, p)", "aggregate: quantile of type 7 (linear), p from 0 to 1"},
    {"percentile(x, p)", "aggregate: the same, p from 0 to 100"},
    {"range_path(range)", "names of the push/pop ranges from the outermost to this row of ranges: 'step/forward'"},
    {"short_name(name)", "a kernel's name without return type, namespaces, template arguments and parameters"},
    {"kernel_class(name [, capability])",
     "class of a kernel by the rules of data/kernel_classes.toml; capability as '9.0' for rules that want one"},
    {"interval_union('SELECT start, end [, key] ...')", "table: union of the intervals of each key"},
    {"interval_intersect('SELECT ...', 'SELECT ...')", "table: what is in both, by key if the second has one"},
    {"interval_subtract('SELECT ...', 'SELECT ...')", "table: what is in the first and not in the second, likewise"},
    {"histogram('SELECT x [, key] ...', bins)", "table: how many values are in each of the equal bins, by key"},
}};

template <class Body>
void guarded_call(sqlite3_context* to, Body&& body) noexcept {
  try {
    body();
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(to);
  } catch (const std::exception& error) {
    sqlite3_result_error(to, error.what(), -1);
  }
}

std::string_view argument_text(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

void set_result_text(sqlite3_context* to, std::string_view text) {
  sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

/// State of an aggregate: created with its first row, destroyed after its last.
template <class State>
State& state_of(sqlite3_context* to) {
  auto* const slot = static_cast<State**>(sqlite3_aggregate_context(to, sizeof(State*)));
  if (slot == nullptr) throw std::bad_alloc();
  if (*slot == nullptr) *slot = new State();
  return **slot;
}
template <class State>
std::unique_ptr<State> claim_state(sqlite3_context* to) {
  auto* const slot = static_cast<State**>(sqlite3_aggregate_context(to, 0));
  return std::unique_ptr<State>(slot == nullptr ? nullptr : std::exchange(*slot, nullptr));
}

/// Length of the union of intervals; NULL without intervals, like sum().
struct UnionOf {
  List<Interval> intervals;

  static void step(sqlite3_context* to, int, sqlite3_value** arguments) {
    guarded_call(to, [&] {
      if (is_null(arguments[0]) || is_null(arguments[1])) return;
      for (int a : {0, 1}) {
        if (sqlite3_value_type(arguments[a]) != SQLITE_INTEGER)
          throw std::invalid_argument("union_ns() takes whole nanoseconds");
      }
      state_of<UnionOf>(to).intervals.push_back({sqlite3_value_int64(arguments[0]), sqlite3_value_int64(arguments[1])});
    });
  }
  static void final(sqlite3_context* to) {
    guarded_call(to, [&] {
      const std::unique_ptr<UnionOf> state = claim_state<UnionOf>(to);
      if (state == nullptr) return;
      const auto by_start = [](const Interval& a, const Interval& b) { return a.start < b.start; };
      if (!std::ranges::is_sorted(state->intervals, by_start)) sort_within_limits(state->intervals, by_start);
      UnionMeasure measure;
      for (const Interval& i : state->intervals) measure.add(i.start, i.end);
      sqlite3_result_int64(to, measure.total());
    });
  }
};

/// median, quantile and percentile; uses the p of the last row, which is the same in all.
template <int kScale>
struct QuantileOf {
  List<double> values;
  double p = 0.5;

  static void step(sqlite3_context* to, int count, sqlite3_value** arguments) {
    guarded_call(to, [&] {
      if (is_null(arguments[0])) return;
      const int type = sqlite3_value_numeric_type(arguments[0]);
      if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        throw std::invalid_argument("quantiles need numbers; '" + std::string(argument_text(arguments[0])) +
                                    "' is not a number");
      auto& state = state_of<QuantileOf>(to);
      if (count > 1) {
        const double p = sqlite3_value_double(arguments[1]) / kScale;
        if (!(p >= 0 && p <= 1)) {
          throw std::invalid_argument(kScale == 1 ? "quantile(x, p) needs p from 0 to 1"
                                                  : "percentile(x, p) needs p from 0 to 100");
        }
        state.p = p;  // `final` is also called after a failure
      }
      state.values.push_back(sqlite3_value_double(arguments[0]));
    });
  }
  static void final(sqlite3_context* to) {
    guarded_call(to, [&] {
      const auto state = claim_state<QuantileOf>(to);
      if (state != nullptr) sqlite3_result_double(to, quantile_in_place(state->values, state->p));
    });
  }
};

const FunctionData& data_of(sqlite3_context* to) { return *static_cast<const FunctionData*>(sqlite3_user_data(to)); }

void range_path(sqlite3_context* to, int, sqlite3_value** arguments) {
  guarded_call(to, [&] {
    if (sqlite3_value_type(arguments[0]) != SQLITE_INTEGER) return;
    const std::int64_t id = sqlite3_value_int64(arguments[0]);
    const FunctionData& data = data_of(to);
    if (data.sources == nullptr) throw std::invalid_argument("range_path() needs a profile; results have no ranges");
    if (id < 0 || report_of(id) >= data.sources->reports.size()) return;
    const Report& report = *data.sources->reports[report_of(id)];
    if (report.ranges == nullptr || row_of(id) >= report.ranges->rows) return;
    std::vector<std::string_view> names;
    for (auto row = static_cast<Row>(row_of(id)); row >= 0; row = report.ranges->parent[static_cast<std::size_t>(row)])
      names.push_back(report.string(report.ranges->name[static_cast<std::size_t>(row)]));
    std::string path;
    for (const std::string_view name : std::views::reverse(names))
      path += (path.empty() ? "" : "/") + std::string(name);
    set_result_text(to, path);
  });
}

void short_name(sqlite3_context* to, int, sqlite3_value** arguments) {
  guarded_call(to, [&] {
    if (!is_null(arguments[0])) set_result_text(to, load::kernel_name(argument_text(arguments[0])).base);
  });
}

std::string_view bytes_of(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));  // a number is converted to text here
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// Position of `part` from `from` on, in linear time, which string_view::find does not guarantee.
std::size_t position_of(std::string_view whole, std::string_view part, std::size_t from) {
  if (whole.size() - from < part.size()) return std::string_view::npos;  // an empty text may have no address
  const void* const at = memmem(whole.data() + from, whole.size() - from, part.data(), part.size());
  return at == nullptr ? std::string_view::npos : static_cast<std::size_t>(static_cast<const char*>(at) - whole.data());
}

/// Like SQLite's instr, which tries the second text at each position of the first: with long texts one step could take
/// hours.
void instr(sqlite3_context* to, int, sqlite3_value** arguments) {
  if (is_null(arguments[0]) || is_null(arguments[1])) return;
  const bool blobs = sqlite3_value_type(arguments[0]) == SQLITE_BLOB && sqlite3_value_type(arguments[1]) == SQLITE_BLOB;
  const std::string_view whole = blobs ? bytes_of(arguments[0]) : argument_text(arguments[0]);
  const std::string_view part = blobs ? bytes_of(arguments[1]) : argument_text(arguments[1]);
  const std::size_t at = part.empty() ? 0 : position_of(whole, part, 0);
  if (at == std::string_view::npos) return sqlite3_result_int(to, 0);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const std::string_view before = whole.substr(0, at);
  sqlite3_result_int64(to, 1 + (blobs ? std::ssize(before) : std::ranges::count_if(before, begins)));
}

void replace(sqlite3_context* to, int, sqlite3_value** arguments) {
  guarded_call(to, [&] {
    if (is_null(arguments[0]) || is_null(arguments[1])) return;
    const std::string_view whole = argument_text(arguments[0]), part = argument_text(arguments[1]);
    if (part.empty() || part.front() == '\0') return sqlite3_result_value(to, arguments[0]);
    if (is_null(arguments[2])) return;
    const std::string_view by = argument_text(arguments[2]);
    std::basic_string<char, std::char_traits<char>, CountedMemory<char>> made;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = position_of(whole, part, done)) != std::string_view::npos;) {
      made.append(whole.substr(done, at - done)).append(by);
      done = at + part.size();
      if (made.size() > std::size_t{sqlite::kLongestValue}) return sqlite3_result_error_toobig(to);
    }
    made.append(whole.substr(done));
    set_result_text(to, made);
  });
}

/// Largest width or precision in a format, in digits or from an argument ('*').
std::int64_t widest(std::string_view format, int count, sqlite3_value** arguments) {
  constexpr std::int64_t kEnough = std::int64_t{1} << 40;
  std::int64_t widest = 0;
  int next = 1;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    std::int64_t number = 0;
    for (++at; at < format.size() && std::string_view("0123456789.*-+ ,#!l").find(format[at]) != format.npos; ++at) {
      const bool digit = format[at] >= '0' && format[at] <= '9';
      number = digit ? std::min(10 * number + format[at] - '0', kEnough) : 0;
      if (format[at] == '*' && next < count) number = sqlite3_value_int64(arguments[next++]);
      widest = std::max(widest, number < 0 ? kEnough : number);  // a negative width pads the other side
    }
    if (at < format.size() && format[at] != '%' && format[at] != 'n') ++next;
  }
  return widest;
}

/// Calls SQLite's printf() on a connection without our functions. That one would fill a width of 1e9 in a single step
/// of seconds, only to exceed the size limit.
void print_formatted(sqlite3_context* to, int count, sqlite3_value** arguments) {
  guarded_call(to, [&] {
    if (count == 0 || is_null(arguments[0])) return;
    if (widest(argument_text(arguments[0]), count, arguments) > sqlite::kLongestValue)
      return sqlite3_result_error_toobig(to);
    thread_local const Result<sqlite::Database> plain =
        sqlite::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    thread_local std::map<int, sqlite::Statement> statements;
    if (!plain) throw std::runtime_error(plain.error().sentence);
    auto known = statements.find(count);
    if (known == statements.end()) {
      std::string sql = "SELECT printf(?";
      for (int i = 1; i < count; ++i) sql += ", ?";
      known = statements.emplace(count, sqlite::Statement(plain->get(), sql + ")")).first;
      sqlite::limit_values(plain->get());
    }
    sqlite::Statement& printed = known->second;
    for (int i = 0; i < count; ++i) sqlite3_bind_value(printed.handle(), i + 1, arguments[i]);
    if (printed.step())
      sqlite3_result_value(to, sqlite3_column_value(printed.handle(), 0));
    else
      sqlite3_result_error_toobig(to);
    printed.reset();
  });
}

/// "9.0" as text or number.
ComputeCapability capability_of(std::string_view text) {
  ComputeCapability out;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, out.major);
  const bool dotted = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  const auto minor = dotted ? std::from_chars(major.ptr + 1, end, out.minor) : major;
  if (major.ec != std::errc() || minor.ec != std::errc() || minor.ptr != end)
    throw std::invalid_argument("kernel_class() takes a compute capability like '9.0', not '" + std::string(text) +
                                "'");
  return out;
}

void kernel_class(sqlite3_context* to, int count, sqlite3_value** arguments) {
  guarded_call(to, [&] {
    if (is_null(arguments[0])) return;
    const FunctionData& data = data_of(to);
    if (!data.rules) throw std::invalid_argument("kernel_class() has no rules: " + data.no_rules);
    const ComputeCapability device =
        count > 1 && !is_null(arguments[1]) ? capability_of(argument_text(arguments[1])) : ComputeCapability{};
    set_result_text(to, data.rules->class_of(argument_text(arguments[0]), device));
  });
}

template <int kNanoseconds>
void in_unit(sqlite3_context* to, int, sqlite3_value** arguments) {
  if (is_null(arguments[0])) return;
  sqlite3_result_double(to, sqlite3_value_double(arguments[0]) / kNanoseconds);
}

template <class State>
bool add_aggregate(sqlite3* db, const char* name, int arguments) {
  const auto drop = [](void*) {};
  return sqlite3_create_function_v2(db, name, arguments, kFlags, nullptr, nullptr, &State::step, &State::final, drop) ==
         SQLITE_OK;
}

}  // namespace

std::span<const FunctionText> function_texts() { return kTexts; }

bool add_functions(sqlite3* db, const FunctionData& data) {
  void* const known = const_cast<FunctionData*>(&data);
  const auto scalar = [&](const char* name, int arguments, auto* function) {
    return sqlite3_create_function_v2(db, name, arguments, kFlags, known, function, nullptr, nullptr, nullptr) ==
           SQLITE_OK;
  };
  return add_aggregate<UnionOf>(db, "union_ns", 2) && add_aggregate<QuantileOf<1>>(db, "median", 1) &&
         add_aggregate<QuantileOf<1>>(db, "quantile", 2) && add_aggregate<QuantileOf<100>>(db, "percentile", 2) &&
         scalar("ms", 1, &in_unit<1'000'000>) && scalar("us", 1, &in_unit<1'000>) && scalar("instr", 2, &instr) &&
         scalar("replace", 3, &replace) && scalar("printf", -1, &print_formatted) &&
         scalar("format", -1, &print_formatted) && scalar("range_path", 1, &range_path) &&
         scalar("short_name", 1, &short_name) && scalar("kernel_class", 1, &kernel_class) &&
         scalar("kernel_class", 2, &kernel_class);
}

}  // namespace assay::query
