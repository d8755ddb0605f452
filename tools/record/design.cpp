#include "record/design.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "assay/detail/random.hpp"
#include "config/claim_keys.hpp"
#include "config/expected_runs.hpp"
#include "config/label_value.hpp"
#include "files/did_you_mean.hpp"

namespace assay::record {
namespace {

/// A label with values, from --only or --set.
struct Choice {
  std::string label;
  std::vector<std::string> values;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// Values in normal form; the label must be declared by some question.
Result<std::vector<Choice>> choices_of(const std::vector<std::string>& texts, char separator, const std::string& option,
                                       const std::vector<const Question*>& questions) {
  std::vector<Choice> choices;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{fmt::format("{} '{}' is not a condition", option, text)}.at(text).advise(
          "write LABEL=VALUE, such as " + option + " patch=8");
    Choice choice{text.substr(0, equals), {}};
    const LabelSpec* label = nullptr;
    std::vector<std::string> known;
    for (const Question* question : questions) {
      if (label == nullptr) label = declared(*question, choice.label);
      for (const LabelSpec& l : question->labels.labels) known.push_back(l.name);
    }
    if (label == nullptr)
      return Error{fmt::format("{} '{}': there is no label '{}'.", option, text, choice.label)}.at(text).suggest(
          did_you_mean(choice.label, known));
    for (const std::string& value : split(std::string_view(text).substr(equals + 1), separator)) {
      const Result<ParsedLabel> parsed = read_label_value(*label, value);
      if (!parsed) return Error{fmt::format("{} '{}': '{}' {}", option, text, value, parsed.error().sentence)}.at(text);
      choice.values.push_back(parsed->text);
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

void set_value(Values& values, const std::string& label, const std::string& value) {
  const auto at = std::ranges::find_if(values, [&](const auto& v) { return v.first == label; });
  if (at != values.end())
    at->second = value;
  else
    values.emplace_back(label, value);
  std::ranges::sort(values);
}

/// A run that has no name yet.
struct UnnamedRun {
  Values labels;
  std::vector<std::string> named;
};

/// Runs of the matrix, with overrides and conditions applied, without duplicates.
std::vector<UnnamedRun> wanted_of(const Question& question, const ExperimentSpec& experiment,
                                  const std::vector<Choice>& only, const std::vector<Choice>& set) {
  std::vector<UnnamedRun> all;
  std::set<std::string> seen;
  std::vector<ExpectedRun> runs = expected_runs(question);
  if (question.matrix.empty()) runs.emplace_back();
  for (const ExpectedRun& run : runs) {
    Values labels = run.filled;
    for (const auto& [label, value] : experiment.fill) {
      if (value_of(labels, label).empty()) set_value(labels, label, value);
    }
    std::vector<UnnamedRun> some = {{labels, {}}};
    for (const auto& [label, value] : run.named) some.front().named.push_back(label);
    for (const Choice& choice : set) {
      if (declared(question, choice.label) == nullptr) continue;
      std::vector<UnnamedRun> wider;
      for (const UnnamedRun& one : some) {
        for (const std::string& value : choice.values) {
          wider.push_back(one);
          set_value(wider.back().labels, choice.label, value);
          wider.back().named.push_back(choice.label);
        }
      }
      some = std::move(wider);
    }
    for (UnnamedRun& one : some) {
      const bool meets = std::ranges::all_of(only, [&](const Choice& choice) {
        return std::ranges::find(choice.values, value_of(one.labels, choice.label)) != choice.values.end();
      });
      if (meets && seen.insert(text_of(one.labels)).second) all.push_back(std::move(one));
    }
  }
  return all;
}

/// Checks that every label that varies reaches the run or is descriptive.
Status check_reach(const Question& question, const ExperimentSpec& experiment, const std::vector<Choice>& set) {
  const std::set<std::string> reached = labels_in(experiment);
  std::vector<std::string> names;
  for (const MatrixBlock& block : question.matrix) {
    for (const auto& [label, values] : block.values) names.push_back(label);
  }
  for (const auto& [label, value] : experiment.fill) names.push_back(label);
  for (const Choice& choice : set) names.push_back(choice.label);
  for (const std::string& name : names) {
    const LabelSpec* label = declared(question, name);
    if (label == nullptr || label->descriptive || reached.contains(name)) continue;
    return Error{fmt::format("{}: the label '{}' affects neither the command nor the environment nor the binding, so "
                             "its values would be different names for the same run",
                             experiment.pos.str(), name)}
        .at(experiment.pos.str())
        .advise("put {" + name + "} into [experiment], or declare the label descriptive.");
  }
  return ok();
}

/// First non-descriptive label in which two runs differ; empty: none.
std::string differing_label(const Question& question, const Values& a, const Values& b) {
  for (const LabelSpec& label : question.labels.labels) {
    if (!label.descriptive && value_of(a, label.name) != value_of(b, label.name)) return label.name;
  }
  return {};
}

/// Cells of one question, with values determined by a GPU.
Result<std::vector<Cell>> cells_of(const Question& question, const ExperimentSpec& experiment, std::size_t index,
                                   const std::vector<UnnamedRun>& wanted, const std::string& gpu, bool several) {
  std::vector<Cell> cells;
  std::map<std::string, std::size_t> by_name;
  const std::string label = gpu_label(experiment);
  for (const UnnamedRun& one : wanted) {
    Cell cell;
    cell.run.question = index;
    cell.run.labels = one.labels;
    if (!gpu.empty() && !label.empty()) set_value(cell.run.labels, label, gpu);
    Result<std::string> name =
        question.matrix.empty() ? Result<std::string>(experiment.name) : run_name(question, cell.run.labels, one.named);
    if (!name) return name.error();
    cell.run.name = *name;
    if (several) cell.run.folder = question.reports.folder.empty() ? question.id : question.reports.folder;
    Result<Command> command = command_of(experiment, cell.run.labels);
    if (!command) return command.error();
    cell.command = *std::move(command);
    for (const auto& value : cell.run.labels) {
      if (value.first != label)
        cell.key += fmt::format("{}{}={}", cell.key.empty() ? "" : ";", value.first, value.second);
    }
    cell.key = question.id + ": " + cell.key;
    for (const Cell& other : cells) {
      const std::string differs = differing_label(question, cell.run.labels, other.run.labels);
      if (differs.empty() || !(other.command == cell.command)) continue;
      return Error{fmt::format("{}: '{}' and '{}' differ in the label '{}' but have the same command, so one of the "
                               "names would be wrong",
                               experiment.pos.str(), other.run.name, cell.run.name, differs)}
          .at(experiment.pos.str())
          .advise("give its values different words in [experiment.arguments], or declare the label descriptive.");
    }
    const auto [at, fresh] = by_name.emplace(cell.run.name, cells.size());
    if (!fresh)
      return Error{fmt::format("{}: two runs would both be named '{}'", experiment.pos.str(), cell.run.name)}
          .at(experiment.pos.str())
          .advise("distinguish them by a [[labels.suffix]].");
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// Merges equal cells of different questions: the later one becomes another name of the earlier.
void join(std::vector<Cell>& cells, std::vector<Cell> more) {
  const std::size_t before = cells.size();
  for (Cell& cell : more) {
    const auto end = cells.begin() + static_cast<std::ptrdiff_t>(before);
    const auto same =
        std::find_if(cells.begin(), end, [&](const Cell& other) { return other.command == cell.command; });
    if (same == end) {
      cells.push_back(std::move(cell));
      continue;
    }
    same->least = std::max(same->least, cell.least);
    same->most = std::max(same->most, cell.most);
    same->also.push_back(std::move(cell.run));
  }
}

/// The cell to run twice per block: a base cell of the first claim that compares runs, else the first cell.
std::size_t twin_of(const Design& design, const std::vector<Cell>& cells) {
  for (const Question* question : design.questions) {
    for (const ClaimConfig& claim : question->claims) {
      const ClaimShape sides = claim_shape(claim.keys);
      if (sides.label.empty() || sides.base.empty()) continue;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const Cell& cell = cells[c];
        if (design.questions[cell.run.question] == question && value_of(cell.run.labels, sides.label) == sides.base)
          return c;
      }
    }
  }
  return 0;
}

void add_twin(const Design& design, std::vector<Cell>& cells) {
  Cell twin = cells[twin_of(design, cells)];
  twin.twin = true;
  twin.also.clear();
  twin.key += " (twin)";
  twin.run.folder += twin.run.folder.empty() ? "aa" : "/aa";
  cells.push_back(std::move(twin));
}

Status choose(const std::vector<Question>& questions, const std::vector<std::string>& ids, Design& design) {
  std::vector<std::string> known;
  for (const Question& question : questions) known.push_back(question.id);
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) != known.end()) continue;
    const auto starts = [&](const std::string& other) { return other.starts_with(id + "_"); };
    if (std::ranges::any_of(known, starts)) continue;
    return Error{"--question '" + id + "': no configuration has that question."}.at(id).suggest(
        did_you_mean(id, known));
  }
  for (const Question& question : questions) {
    const auto is = [&](const std::string& id) { return question.id == id || question.id.starts_with(id + "_"); };
    if (!ids.empty() && std::ranges::none_of(ids, is)) continue;
    Result<std::optional<ExperimentSpec>> experiment = read_experiment(question);
    if (!experiment) return experiment.error();
    if (!*experiment)
      return Error{fmt::format("{}: the question '{}' has no [experiment], which defines how its runs are made",
                               question.file.string(), question.id)}
          .at(question.file.string())
          .advise("add one, or leave the question out with --question");
    if (question.matrix.empty() && (*experiment)->name.empty())
      return Error{fmt::format("{}: the question '{}' has no [[matrix]], which defines its runs",
                               question.file.string(), question.id)}
          .at(question.file.string())
          .advise("add one, or [experiment] name = \"...\" for a single run");
    design.questions.push_back(&question);
    design.experiments.push_back(**std::move(experiment));
  }
  return ok();
}

void apply_options(const DesignOptions& options, Design& design) {
  design.replicates = design.most = 0;
  for (const ExperimentSpec& experiment : design.experiments) {
    design.replicates = std::max(design.replicates, options.replicates.value_or(experiment.replicates));
    design.most = std::max(design.most, options.most.value_or(experiment.most));
  }
  design.most = std::max(design.most, design.replicates);
  design.seed = options.seed.value_or(design.experiments.front().seed);
  design.random_order = options.random_order.value_or(design.experiments.front().random_order);
  design.timeout_seconds = options.timeout_seconds;
  design.at_once = options.at_once;
  design.name = design.questions.size() == 1 ? design.questions.front()->id : "study";
}

}  // namespace

Result<Design> make_design(const std::vector<Question>& questions, const DesignOptions& options) {
  Design design;
  if (const Status picked = choose(questions, options.questions, design); !picked) return picked.error();
  const auto only = choices_of(options.only, '|', "--only", design.questions);
  if (!only) return only.error();
  const auto set = choices_of(options.set, ',', "--set", design.questions);
  if (!set) return set.error();
  apply_options(options, design);
  std::vector<std::string> gpus = options.gpus;
  if (options.at_once && std::set<std::string>(gpus.begin(), gpus.end()).size() < std::max<std::size_t>(2, gpus.size()))
    return Error{"--at-once records on several GPUs at the same time: name them once each, e.g. --gpus 0,1"};
  if (gpus.empty()) gpus.emplace_back();
  for (const std::string& gpu : gpus) {
    GpuCells& on = design.gpus.emplace_back(GpuCells{gpu, {}});
    std::size_t named = 0;
    for (std::size_t q = 0; q < design.questions.size(); ++q) {
      const Question& question = *design.questions[q];
      const ExperimentSpec& experiment = design.experiments[q];
      if (!gpu.empty() && gpu_label(experiment).empty())
        return Error{experiment.pos.str() + ": --gpus chooses a GPU, but [experiment] has no gpu = \"{label}\""}
            .at(experiment.pos.str())
            .advise("add it.");
      if (const Status reach = check_reach(question, experiment, *set); !reach) return reach.error();
      auto cells = cells_of(question, experiment, q, wanted_of(question, experiment, *only, *set), gpu,
                            design.questions.size() > 1);
      if (!cells) return cells.error();
      for (Cell& cell : *cells) {
        cell.least = options.replicates.value_or(experiment.replicates);
        cell.most = std::max(cell.least, options.most.value_or(experiment.most));
      }
      named += cells->size();
      join(on.cells, *std::move(cells));
    }
    design.configurations = named;
    if (on.cells.empty()) return Error{"--only leaves no run of the matrix"}.advise("check its labels and values");
    add_twin(design, on.cells);
  }
  return design;
}

std::string gpu_label(const ExperimentSpec& experiment) {
  const std::string& text = experiment.gpu;
  return text.size() > 2 && text.front() == '{' && text.back() == '}' ? text.substr(1, text.size() - 2) : std::string();
}

const GpuCells& gpu_of(const Design& design, std::size_t block) {
  return design.gpus[(block - 1) % design.gpus.size()];
}

std::vector<std::size_t> order_of(const Design& design, std::size_t block, const std::vector<char>& open) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (open[c] != 0) order.push_back(c);
  }
  if (!design.random_order) return order;
  Random random(fmt::format("assay record {} block {}", design.seed, block));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  return order;
}

}  // namespace assay::record
