#include "mcp/tools.hpp"

#include <algorithm>

#include "child/child.hpp"
#include "config/config.hpp"
#include "mcp/bounded.hpp"

namespace assay::mcp {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kUsualRows = 200, kMaxRows = 5000;

constexpr const char* kRangesSql =
    "--sql=SELECT report, path, count, median AS median_ns, p95 AS p95_ns, max AS max_ns, total AS total_ns, share, "
    "step_share, gpu_time AS gpu_ns, busy_share, idle AS idle_ns, kernels, launches FROM range_paths LIMIT 200";

Json text_argument(const char* description) { return {{"type", "string"}, {"description", description}}; }

Json texts_argument(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

Json input(Json properties, const std::vector<std::string>& required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", required},
          {"additionalProperties", false}};
}

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

/// The options of `whatif` that describe a change, by argument name.
Json change_arguments() {
  return {
      {"path", text_argument("Profile, folder of repeat runs, or folder of the ranks of a job")},
      {"scale", texts_argument("Time of kernels, operators, classes, ranges, copies, host code or launches times a "
                               "factor: 'kernel:*gemm*=0.5', 'class:matmul=0', 'range:data=0'")},
      {"remove", texts_argument("'sync': calls that wait for the device return at once")},
      {"overlap", texts_argument("Copies that nothing waits for: 'copy:h2d'")},
      {"replace", texts_argument("An operator by calls, launches and device time: 'operator:aten::add=2,1,40us'")},
      {"add", texts_argument("A kernel at the end of each range: 'kernel:142us@optimizer'")},
      {"graph", texts_argument("Ranges that become one launch of a CUDA graph each: 'decode_{i}'")},
      {"straggler", texts_argument("'none', of all ranks of a job: the slowest is as fast as the next")},
      {"launch_cost",
       {{"type", "number"}, {"minimum", 0}, {"maximum", 1000}, {"description", "Factor of the host time of a launch"}}},
      {"iterations", texts_argument("Ranges that are iterations: 'step_{i}'")}};
}

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

/// The tools that only read profiles.
std::vector<Tool> profile_tools(const Runner& runner) {
  std::vector<Tool> all;
  all.push_back(
      {"list", "List profiles",
       "What is in a folder: the kind of each file, rows of its tables, problems. Reads every file once; null "
       "rows were not recorded.",
       input({{"path", text_argument("Folder of profiles")}}, {"path"}), true, handler_of_one_place(runner, {"list"})});
  all.push_back(
      {"look", "Look at profiles",
       "Summarizes a profile or a folder of them: what ran, where the time goes, what to try, what is missing. Also "
       "ranks of a job, memory snapshots, dumps of a hang and logs of torch.compile. Reads whole files: seconds per "
       "GB.",
       input({{"path", text_argument("Profile, or folder of profiles")}}, {"path"}), true,
       handler_of_one_place(runner, {"look"})});
  all.push_back(
      {"budget", "Split an iteration",
       "What a mean iteration's time consists of: rows in ns that sum to its wall clock - kernels by class, "
       "communication that no kernel hides, copies, idle time by cause. Refuses a folder of different programs.",
       input({{"path", text_argument("Profile, or folder of repeat runs")},
              {"steps", texts_argument("Ranges that are iterations: 'step_{i}'")}},
             {"path"}),
       true, handler_of_one_place(runner, {"budget"})});
  all.push_back(
      {"whatif", "Predict a change",
       "What a change would gain, by replaying the run: times in ns with an interval. Without a change the "
       "ten that gain most, each on its own. A gain is an upper bound, and gains do not add up. Needs calls and "
       "kernels; runs nothing on a GPU.",
       input(change_arguments(), {"path"}), true, handler_of_one_place(runner, {"whatif"})});
  all.push_back({"ranges", "List ranges",
                 "The program's own ranges as a tree of paths: how many, median, p95, and per range the GPU time, idle "
                 "time, kernels and launches; times in ns, at most 200 paths.",
                 input({{"path", text_argument("Profile, or folder of profiles")}}, {"path"}), true,
                 handler_of_one_place(runner, {"query", "--timeout", "30", "--memory", "1024", kRangesSql})});
  all.push_back({"stats", "Tables of nsys stats",
                 "The tables of 'nsys stats' of an export, by their names there: cuda_gpu_kern_sum, cuda_api_sum, "
                 "cuda_gpu_mem_time_sum, nvtx_sum, gpu_gaps, ... 'remarks' says what a table counts twice or lacks.",
                 input({{"path", text_argument("SQLite export of nsys, or folder of them")},
                        {"report", text_argument("Names, separated by commas")}},
                       {"path", "report"}),
                 true, handler_of_one_place(runner, {"stats"})});
  return all;
}

}  // namespace

std::vector<Tool> tools(const ToolSettings& settings) {
  const Runner runner(settings);
  std::vector<Tool> all = profile_tools(runner);
  all.push_back(
      {"query", "Query in SQL",
       "Runs one read-only SELECT of SQLite over a profile (tables kernels, copies, calls, ranges, ops, devices, ...; "
       "times in ns) or over a result (facts, claims, findings, ...). 'SELECT name, sql FROM sqlite_schema' lists "
       "tables. Ends after 30 s or 1 GiB; cannot write, attach or load.",
       input({{"path", text_argument("Profile, folder of profiles, or folder of a result")},
              {"sql", text_argument("One statement")},
              {"rows",
               {{"type", "integer"},
                {"minimum", 1},
                {"maximum", kMaxRows},
                {"description", "Most rows; 200 unless given"}}}},
             {"path", "sql"}),
       true, handler(runner, run_query)});
  all.push_back(
      {"findings", "Read a result",
       "Answers, findings and verdicts of a result that 'assay run' wrote, with effects and intervals. Reads the "
       "folder of the result, no profile.",
       input({{"path", text_argument("Folder of the result")}}, {"path"}), true,
       handler_of_one_place(runner, {"show"}, true)});
  all.push_back(
      {"compare", "Compare two sides",
       "Says what changed between two profiles, folders of repeat runs or results, by how much, and whether "
       "it is real. Without 'after': ranks what the names in one folder distinguish. One run a side gives no "
       "verdict on times.",
       input({{"before", text_argument("Profile, folder or result")},
              {"after", text_argument("The same; left out: the configurations of the folder 'before' are ranked")},
              {"steps", texts_argument("Ranges that are steps, of profiles: 'train_{i}'")}},
             {"before"}),
       true, handler(runner, compare_sides)});
  all.push_back(
      {"describe", "Describe a metric",
       "What a metric, an analyzer or a verdict means: definition, unit, formula, what it is not. Reads no file.",
       input({{"name", text_argument("gpu.busy_ratio, idle_causes, inconclusive, ...")}}, {"name"}), true,
       handler(runner, describe_name)});
  if (settings.results) {
    all.push_back(
        {"run", "Answer a question",
         "Answers the question of a TOML file about a folder of profiles and writes a result to a folder below " +
             settings.results->names() +
             ": the only tool that writes. At most 10 minutes; a result of assay there is "
             "replaced, anything else refused.",
         input({{"config", text_argument("File with [question] or [study]")},
                {"reports", text_argument("Folder of profiles")},
                {"out", text_argument("Folder for the result")}},
               {"config", "reports", "out"}),
         false, handler(runner, run_question)});
  }
  return all;
}

}  // namespace assay::mcp
