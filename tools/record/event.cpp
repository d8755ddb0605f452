#include "record/event.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <set>
#include <type_traits>

namespace assay::record {
namespace {

using event::Check;

/// Deeper than any valid line; copying a value nested thousands deep would overflow the stack.
constexpr int kDeepest = 32;
/// Upper bound for blocks, attempts and similar counts, so that their sums cannot overflow.
constexpr std::uint64_t kLargestCount = 1'000'000'000;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

template <class T>
Json value_of(const T& value);

/// Adds fields to a JSON object.
class Writer {
 public:
  explicit Writer(Json& to) : to_(to) {}

  template <class T>
  void operator()(const char* name, const T& value, Check = Check::kNone) {
    if constexpr (IsOptional<T>::value) {
      if (value) to_[name] = value_of(*value);
    } else {
      to_[name] = value_of(value);
    }
  }

 private:
  Json& to_;
};

template <class T>
Json value_of(const T& value) {
  if constexpr (std::same_as<T, Outcome>) {
    return outcome_name(value);
  } else if constexpr (std::same_as<T, Texts>) {
    Json out = Json::object();
    for (const auto& [name, text] : value) out[name] = text;
    return out;
  } else if constexpr (IsList<T>::value) {
    Json out = Json::array();
    for (const auto& one : value) out.push_back(value_of(one));
    return out;
  } else if constexpr (std::is_class_v<T> && !std::same_as<T, std::string> && !std::same_as<T, Json>) {
    Json out = Json::object();
    Writer on(out);
    T::fields(value, on);
    return out;
  } else {
    return value;
  }
}

std::string kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return value.get_ref<const std::string&>().empty() ? "an empty text" : "a text";
  if (value.is_boolean()) return "a boolean";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  if (value.is_object()) return "an object";
  return value.dump();
}

/// Reads the fields of a JSON object; stops at the first invalid one.
class Reader {
 public:
  Reader(const Json& from, std::string place, std::string& problem)
      : from_(from), place_(std::move(place)), problem_(problem) {}

  template <class T>
  void operator()(const char* name, T& to, Check check = Check::kNone) {
    if (!problem_.empty()) return;
    const auto at = from_.find(name);
    const std::string place = place_ + name;
    if constexpr (IsOptional<T>::value) {
      if (at != from_.end()) read(*at, place, to.emplace(), check);
    } else {
      if (at == from_.end())
        problem_ = "'" + place + "' is missing";
      else
        read(*at, place, to, check);
    }
  }

 private:
  void expect(bool right, const Json& value, const std::string& place, const char* what) {
    if (!right && problem_.empty())
      problem_ = fmt::format("'{}' is {} where {} is expected", place, kind_of(value), what);
  }

  void read(const Json& value, const std::string& place, std::string& to, Check check) {
    const bool filled = check == Check::kFilled;
    const bool right = value.is_string() && !(filled && value.get_ref<const std::string&>().empty());
    expect(right, value, place, filled ? "a text that is not empty" : "a text");
    if (right) to = value.get<std::string>();
  }

  void read(const Json& value, const std::string& place, bool& to, Check) {
    expect(value.is_boolean(), value, place, "true or false");
    if (value.is_boolean()) to = value.get<bool>();
  }

  void read(const Json& value, const std::string& place, double& to, Check) {
    const bool right = value.is_number() && value.get<double>() >= 0;
    expect(right, value, place, "a number of at least 0");
    if (right) to = value.get<double>();
  }

  void read(const Json& value, const std::string& place, int& to, Check) {
    constexpr std::int64_t kMax = std::numeric_limits<int>::max();
    const bool right = value.is_number_integer() && value.get<double>() >= -1e9 && value.get<double>() <= kMax;
    expect(right, value, place, "a whole number");
    if (right) to = value.get<int>();
  }

  void read(const Json& value, const std::string& place, std::uint64_t& to, Check check) {
    const std::uint64_t least = check == Check::kFromOne ? 1 : 0;
    const bool whole = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
    const bool right = whole && value.get<std::uint64_t>() >= least &&
                       (check == Check::kSeed || value.get<std::uint64_t>() <= kLargestCount);
    expect(right, value, place, least == 1 ? "a whole number from 1 on" : "a whole number from 0 on");
    if (right) to = value.get<std::uint64_t>();
  }

  void read(const Json& value, const std::string& place, Outcome& to, Check) {
    const std::string word = value.is_string() ? value.get<std::string>() : std::string();
    const bool right = value.is_string() && outcome_name(outcome_named(word)) == word;
    expect(right, value, place, "an outcome such as \"ok\" or \"failed\"");
    if (right) to = outcome_named(word);
  }

  void read(const Json& value, const std::string& place, Texts& to, Check) {
    expect(value.is_object(), value, place, "an object of texts");
    if (!value.is_object()) return;
    for (const auto& [name, text] : value.items()) {
      to.emplace_back(name, "");
      read(text, place + "." + name, to.back().second, Check::kNone);
    }
  }

  template <class T>
  void read(const Json& value, const std::string& place, std::vector<T>& to, Check check) {
    const bool filled = check == Check::kFilled;
    const bool right = value.is_array() && !(filled && value.empty());
    expect(right, value, place, filled ? "a list that is not empty" : "a list");
    if (!right) return;
    to.resize(value.size());
    for (std::size_t i = 0; i < to.size(); ++i) read(value[i], fmt::format("{}[{}]", place, i), to[i], check);
  }

  void read(const Json& value, const std::string& place, Json& to, Check check) {
    check_members(value, place, check);
    to = value;
  }

  template <class T>
    requires requires(T& self, Reader& on) { T::fields(self, on); }
  void read(const Json& value, const std::string& place, T& to, Check) {
    expect(value.is_object(), value, place, "an object");
    if (!value.is_object()) return;
    Reader on(value, place + ".", problem_);
    T::fields(to, on);
  }

  void check_members(const Json& value, const std::string& place, Check check) {
    const bool list = check == Check::kObjects;
    expect(list ? value.is_array() : value.is_object(), value, place, list ? "a list of objects" : "an object");
    if (!problem_.empty()) return;
    if (check == Check::kConditions) return check_conditions(value, place);
    for (const auto& [name, one] : value.items()) {
      const std::string at = list ? fmt::format("{}[{}]", place, name) : place + "." + name;
      if (list) expect(one.is_object(), one, at, "an object");
      if (check == Check::kNumbers) expect(one.is_number(), one, at, "a number");
      if (check == Check::kScalars) expect(one.is_primitive() && !one.is_null(), one, at, "a text, number or boolean");
    }
  }

  void check_conditions(const Json& value, const std::string& place) {
    for (const auto& [name, one] : value.items()) {
      const std::string at = place + "." + name;
      if (name == "governor") expect(one.is_string(), one, at, "a text");
      if (name == "load" || name == "steal_percent_since_boot") expect(is_measured(one), one, at, "a number");
      if (name != "gpus") continue;
      expect(one.is_array(), one, at, "a list of objects");
      for (std::size_t gpu = 0; one.is_array() && gpu < one.size(); ++gpu)
        check_gpu(one[gpu], fmt::format("{}[{}]", at, gpu));
    }
  }

  /// A driver may report "nan", which JSON cannot represent as a number.
  static bool is_measured(const Json& value) { return value.is_number() || value.is_null(); }

  void check_gpu(const Json& gpu, const std::string& place) {
    expect(gpu.is_object(), gpu, place, "an object");
    if (!gpu.is_object()) return;
    constexpr std::array<std::string_view, 5> kTexts = {"index", "uuid", "name", "driver", "clock_reasons"};
    constexpr std::array<std::string_view, 7> kNumbers = {"sm_mhz",       "memory_mhz", "celsius",     "watts",
                                                          "busy_percent", "used_mib",   "throttled_us"};
    for (const auto& [name, one] : gpu.items()) {
      const std::string at = place + "." + name;
      if (std::ranges::find(kTexts, name) != kTexts.end()) expect(one.is_string(), one, at, "a text");
      if (std::ranges::find(kNumbers, name) != kNumbers.end()) expect(is_measured(one), one, at, "a number");
      if (name == "processes") expect(one.is_array(), one, at, "a list");
    }
  }

  const Json& from_;
  std::string place_;
  std::string& problem_;
};

/// Nesting depth of objects and lists, without parsing.
int depth_of(std::string_view line) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text && c == '\\')
      ++i;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '{' || c == '['))
      deepest = std::max(deepest, ++depth);
    else if (!in_text && (c == '}' || c == ']'))
      --depth;
  }
  return deepest;
}

/// Parses JSON and reports a name that occurs twice in an object, of which a parser would silently keep one.
Json parse(std::string_view line, std::string& doubled) {
  std::vector<std::set<std::string>> names;
  const auto on = [&](int, Json::parse_event_t what, Json& parsed) {
    if (what == Json::parse_event_t::object_start) names.emplace_back();
    if (what == Json::parse_event_t::object_end && !names.empty()) names.pop_back();
    if (what == Json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
      doubled = parsed.get<std::string>();
    return true;
  };
  return Json::parse(line, on, false);
}

template <class Kind>
bool parse_as(const Json& object, const std::string& name, JournalLine& line) {
  if (name != Kind::kName) return false;
  Kind read;
  Reader on(object, "", line.problem);
  Kind::fields(read, on);
  if (line.problem.empty()) line.event = std::move(read);
  return true;
}

template <class... Kinds>
bool parse_any(const Json& object, const std::string& name, JournalLine& line, const std::variant<Kinds...>*) {
  return (parse_as<Kinds>(object, name, line) || ...);
}

}  // namespace

Json json_of(const Event& event) {
  return std::visit(
      [](const auto& kind) {
        Json out = {{"event", std::remove_cvref_t<decltype(kind)>::kName}};
        Writer on(out);
        std::remove_cvref_t<decltype(kind)>::fields(kind, on);
        return out;
      },
      event);
}

std::string line_of(const Event& event) { return json_of(event).dump(-1, ' ', false, Json::error_handler_t::replace); }

JournalLine read_line(std::string_view text) {
  JournalLine line;
  if (depth_of(text) > kDeepest) {
    line.problem = "it holds more than " + std::to_string(kDeepest) + " objects and lists in each other";
    return line;
  }
  std::string doubled;
  const Json object = parse(text, doubled);
  line.cut_off = object.is_discarded();
  if (line.cut_off) return line;
  if (!doubled.empty())
    line.problem = "'" + doubled + "' appears twice";
  else if (!object.is_object())
    line.problem = "it is " + kind_of(object) + " where an object is expected";
  else if (!object.contains("event"))
    line.problem = "'event' is missing";
  else if (!object["event"].is_string())
    line.problem = "'event' is " + kind_of(object["event"]) + " but the name of an event was expected";
  else if (constexpr const Event* kAll = nullptr; !parse_any(object, object["event"].get<std::string>(), line, kAll))
    line.problem = "'event' is '" + object["event"].get<std::string>() + "', which is unknown to this version of assay";
  return line;
}

}  // namespace assay::record
