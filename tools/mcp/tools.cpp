#include "mcp/tools.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "child/child.hpp"
#include "config/config.hpp"
#include "mcp/bounded.hpp"

namespace assay {
extern const std::string_view kTools;  ///< tools.json: names, descriptions and arguments
}  // namespace assay

namespace assay::mcp {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kUsualRows = 200;

constexpr const char* kRangesSql =
    "--sql=SELECT report, path, count, median AS median_ns, p95 AS p95_ns, max AS max_ns, total AS total_ns, share, "
    "step_share, gpu_time AS gpu_ns, busy_share, idle AS idle_ns, kernels, launches FROM range_paths LIMIT 200";

ToolAnswer refused(const std::string& sentence) { return {sentence, true}; }

/// Removes all members with this name, at any depth.
void drop(OrderedJson& value, const char* name) {
  if (value.is_object()) value.erase(name);
  if (value.is_structured()) {
    for (OrderedJson& member : value) drop(member, name);
  }
}

class Runner {
 public:
  explicit Runner(ToolSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const AllowedFiles& places() const { return settings_.places; }
  [[nodiscard]] const std::optional<AllowedFiles>& results() const { return settings_.results; }

  /// Runs `assay ARGUMENTS --json`; `note` is added to the answer.
  [[nodiscard]] ToolAnswer run(std::vector<std::string> arguments, bool long_time = false,
                               bool without_evidence = false) const {
    const std::string name = arguments.front();
    arguments.emplace_back("--json");
    process::Command command{.program = settings_.program, .arguments = std::move(arguments)};
    const std::chrono::seconds time = long_time ? settings_.run_time : settings_.time;
    std::string out, err;
    const process::ProcessResult ended =
        process::run_to_end(command, time, settings_.stop, {process::into(out), process::into(err)});
    const bool deep = depth_of(out) > kDeepest;  // copying and shortening below recurse to that depth
    const OrderedJson document = deep ? OrderedJson() : OrderedJson::parse(out, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
      const std::string why = ended.status.how == process::ExitKind::kTimedOut
                                  ? "the command was ended after " + std::to_string(time.count()) + " s; ask for less"
                                  : "the command ended without an answer: " + process::last_words(err);
      return {fenced({why, {}}), true};
    }
    const int exit = document.value("exit", 0);
    const bool failed = (exit != 0 && exit != 1 && exit != 4) || document.value("result", OrderedJson()).is_null();
    OrderedJson result = document.value("result", OrderedJson());
    // The facts behind each statement are most of a result, and `query` can find them.
    if (without_evidence) drop(result, "evidence");
    const std::string_view asked = name;
    if (asked == "look" || asked == "compare") {  // the numbers behind the cells
      for (const char* twice : {"values", "names", "units"}) drop(result, twice);
    }
    OrderedJson answer = {{"result", std::move(result)}};
    if (const OrderedJson errors = document.value("errors", OrderedJson()); !errors.empty()) answer["errors"] = errors;
    if (asked == "stats" && !failed && !err.empty()) answer["remarks"] = err;
    return {fenced(bounded(answer, settings_.most_bytes)), failed};
  }

 private:
  ToolSettings settings_;
};

/// Appends --NAME=VALUE for each argument except the places. Joined to the option, a value cannot be taken for another
/// option.
void add_options(const Json& arguments, std::vector<std::string>& words) {
  for (const auto& [name, value] : arguments.items()) {
    if (name == "path" || name == "before" || name == "after") continue;
    std::string option = "--" + name + "=";
    std::ranges::replace(option, '_', '-');
    for (const Json& one : value.is_array() ? value : Json::array({value}))
      words.push_back(option + (one.is_string() ? one.get<std::string>() : one.dump()));
  }
}

/// Error if running a question would run code stored next to it.
Status without_plugins(const fs::path& config) {
  const fs::path files[] = {config};
  const auto questions = read_configs(files);
  if (!questions) return questions.error();
  for (const Question& question : *questions) {
    if (!question.plugins.folders.empty())
      return Error{"the question names folders of plugins, whose code would be run"}.advise(
          "'assay run' by hand does that");
  }
  return ok();
}

ToolAnswer run_question(const Runner& runner, const Json& arguments) {
  const auto config = runner.places().existing(arguments.at("config").get<std::string>());
  if (!config) return refused(config.error().sentence);
  const auto reports = runner.places().existing(arguments.at("reports").get<std::string>());
  if (!reports) return refused(reports.error().sentence);
  const auto out = runner.results()->new_one(arguments.at("out").get<std::string>());
  if (!out) return refused(out.error().sentence);
  if (const Status harmless = without_plugins(*config); !harmless) return refused(harmless.error().sentence);
  return runner.run({"run", config->string(), "--reports", reports->string(), "--out", out->string(), "--no-cache"},
                    true, true);
}

ToolAnswer run_query(const Runner& runner, const Json& arguments) {
  const auto place = runner.places().existing(arguments.at("path").get<std::string>());
  if (!place) return refused(place.error().sentence);
  const std::string rows = std::to_string(arguments.value("rows", kUsualRows));
  // Joined to its option, the statement cannot be taken for a place.
  return runner.run({"query", "--timeout", "30", "--memory", "1024", "--max-rows", rows,
                     "--sql=" + arguments.at("sql").get<std::string>(), place->string()});
}

ToolAnswer compare_sides(const Runner& runner, const Json& arguments) {
  const auto before = runner.places().existing(arguments.at("before").get<std::string>());
  if (!before) return refused(before.error().sentence);
  std::vector<std::string> words = {"compare", before->string()};
  if (arguments.contains("after")) {
    const auto after = runner.places().existing(arguments.at("after").get<std::string>());
    if (!after) return refused(after.error().sentence);
    words.push_back(after->string());
  } else {
    words.emplace_back("--best");
  }
  add_options(arguments, words);
  return runner.run(std::move(words));
}

ToolAnswer describe_name(const Runner& runner, const Json& arguments) {
  const std::string name = arguments.at("name").get<std::string>();
  if (name.empty() || name.starts_with('-') || name.find('\0') != std::string::npos)
    return refused("the name is empty or begins with '-'; give that of a metric, an analyzer or a verdict");
  return runner.run({"describe", name});
}

using Handler = std::function<ToolAnswer(const Json& arguments)>;

/// Runs `command` with the options and the place in the arguments.
Handler handler_of_one_place(const Runner& runner, std::vector<std::string> command, bool without_evidence = false) {
  return [runner, command = std::move(command), without_evidence](const Json& arguments) {
    const auto place = runner.places().existing(arguments.at("path").get<std::string>());
    if (!place) return refused(place.error().sentence);
    std::vector<std::string> words = command;
    add_options(arguments, words);
    words.push_back(place->string());
    return runner.run(std::move(words), false, without_evidence);
  };
}

Handler handler(const Runner& runner, ToolAnswer (*call)(const Runner&, const Json&)) {
  return [runner, call](const Json& arguments) { return call(runner, arguments); };
}

/// What runs when a tool of tools.json is called.
std::map<std::string, Handler> handlers(const Runner& runner) {
  return {{"list", handler_of_one_place(runner, {"list"})},
          {"look", handler_of_one_place(runner, {"look"})},
          {"budget", handler_of_one_place(runner, {"budget"})},
          {"whatif", handler_of_one_place(runner, {"whatif"})},
          {"ranges", handler_of_one_place(runner, {"query", "--timeout", "30", "--memory", "1024", kRangesSql})},
          {"stats", handler_of_one_place(runner, {"stats"})},
          {"query", handler(runner, run_query)},
          {"findings", handler_of_one_place(runner, {"show"}, true)},
          {"compare", handler(runner, compare_sides)},
          {"describe", handler(runner, describe_name)},
          {"run", handler(runner, run_question)}};
}

}  // namespace

std::vector<Tool> tools(const ToolSettings& settings) {
  std::map<std::string, Handler> calls = handlers(Runner(settings));
  std::vector<Tool> all;
  for (const Json& told : Json::parse(kTools)) {
    const bool read_only = told.at("readOnly");
    if (!read_only && !settings.results) continue;
    std::string text = told.at("description");
    if (const std::size_t at = text.find("{results}"); at != std::string::npos)
      text.replace(at, std::strlen("{results}"), settings.results->names());
    Json input = {{"type", "object"},
                  {"properties", told.at("properties")},
                  {"required", told.at("required")},
                  {"additionalProperties", false}};
    all.push_back({told.at("name"), told.at("title"), std::move(text), std::move(input), read_only,
                   std::move(calls.at(told.at("name")))});
  }
  return all;
}

}  // namespace assay::mcp
