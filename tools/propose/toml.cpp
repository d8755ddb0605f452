#include "propose/toml.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "load/format.hpp"

namespace assay {

extern const std::string_view kComparedMetrics;  ///< compared_metrics.txt

namespace init {
namespace {

constexpr std::size_t kMaxCells = 400, kMaxShown = 12;
constexpr const char *kEffect = "label_effect", *kJudge = "claim_verdicts";

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
      continue;
    }
    out += c;
  }
  return out + "\"";
}

std::string value_of(const naming::NameLabel& label, const std::string& value) {
  return label.type == LabelType::kText ? toml_string(value) : value;
}

template <class Texts>
std::string listed(const Texts& texts, std::string_view between = ", ") {
  std::string out;
  for (const std::string& text : texts) out.append(out.empty() ? "" : between).append(text);
  return out;
}

std::string comment_of(const naming::NameLabel& label) {
  std::string text = label.values.size() == 1 ? "constant: " : std::to_string(label.values.size()) + " values: ";
  std::vector<std::string> shown(label.values.begin(), label.values.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                  label.values.size(), kMaxShown)));
  text += listed(shown) + (label.values.size() > kMaxShown ? ", ..." : "");
  if (label.rank) text += "; the ranks of one job are one run";
  if (label.descriptive && !label.rank) text += "; not compared: runs that differ in it alone are repeat runs";
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text;
}

std::string label_line(const naming::NameLabel& label) {
  std::vector<std::string> keys;
  if (label.type == LabelType::kInteger) keys.emplace_back("type = \"int\"");
  if (label.type == LabelType::kNumber) keys.emplace_back("type = \"number\"");
  if (label.listed) {
    std::set<std::string> values(label.values.begin(), label.values.end());
    if (!label.otherwise.empty()) values.insert(label.otherwise);
    std::vector<std::string> texts;
    for (const std::string& value : values) texts.push_back(value_of(label, value));
    keys.push_back("values = [" + listed(texts) + "]");
  }
  if (!label.otherwise.empty()) keys.push_back("default = " + value_of(label, label.otherwise));
  if (label.rank) keys.emplace_back("rank = true");
  if (label.descriptive && !label.rank) keys.emplace_back("descriptive = true");
  return fmt::format("{} = {{ {} }}  # {}\n", label.name, listed(keys), comment_of(label));
}

std::string labels_part(const naming::NameRules& names) {
  if (names.patterns.empty()) return "# Nothing in the names distinguishes the profiles, so there are no labels.\n\n";
  std::vector<std::string> patterns;
  for (const std::string& pattern : names.patterns) patterns.push_back(toml_string(pattern));
  std::string text =
      "# What names mean. A label is compared, or held fixed while another is compared. With\n# changes = "
      "[\"kernels\"] (or \"copies\", \"sync\") a label declares what it must change in a trace: label_check then\n# "
      "finds runs that are not what their names say.\n[labels]\npatterns = [" +
      listed(patterns) + "]\n";
  for (const naming::NameLabel& label : names.labels) text += label_line(label);
  return text + "\n";
}

/// The existing runs; combinations of a label with names that omit it are impossible and not listed.
std::string matrix_part(const naming::NameRules& names) {
  std::vector<const naming::NameLabel*> labels;
  for (const naming::NameLabel& label : names.labels) {
    if (!label.descriptive) labels.push_back(&label);
  }
  if (labels.empty()) return {};
  std::set<std::vector<std::string>> cells;
  for (const auto& said : names.of_stem) {
    std::vector<std::string> cell;
    for (const naming::NameLabel* label : labels) {
      const auto at = said.find(label->name);
      if (at != said.end()) cell.push_back(value_of(*label, at->second));
    }
    if (cell.size() < labels.size()) return {};
    cells.insert(std::move(cell));
  }
  if (cells.size() > kMaxCells) return {};
  std::string text =
      "# The runs found today; missing and additional runs are reported. Delete this table if that does not "
      "matter.\n[[matrix]]\n";
  std::vector<std::string> names_of;
  for (const naming::NameLabel* label : labels) names_of.push_back(label->name);
  if (labels.size() == 1) {
    std::vector<std::string> values;
    for (const auto& cell : cells) values.push_back(cell.front());
    return fmt::format("{}{} = [{}]\n\n", text, names_of.front(), listed(values));
  }
  text += toml_string(listed(names_of, ",")) + " = [\n";
  for (const auto& cell : cells) text += "  [" + listed(cell) + "],\n";
  return text + "]\n\n";
}

std::string ranges_part(const ProposedRanges& ranges) {
  std::string text;
  if (!ranges.window.empty()) {
    text += "# The part that is measured: a range that every profile has around its iterations.\n[window]\nnvtx = " +
            toml_string(ranges.window) + "\n\n";
  } else {
    text +=
        "# The whole capture is measured. To measure a part of it:\n# [window]\n# nvtx = \"name of an NVTX "
        "range\"\n\n";
  }
  if (!ranges.iterations.empty()) {
    text += fmt::format(
        "{}{}{} per profile.\n[iterations]\nnvtx = {}\n\n",
        ranges.optimizer
            ? "# No range is a step; the optimizer runs once per training step, so a step is from one to the next: "
            : "# Ranges whose names differ in a number: ",
        ranges.least, ranges.least == ranges.most ? "" : " to " + std::to_string(ranges.most),
        toml_string(ranges.iterations));
  } else if (!ranges.steps.empty()) {
    text += "# Steps are " + toml_string(ranges.steps) +
            ", as analyzers find by themselves. Metrics per iteration need a name with one number or none:\n"
            "# [iterations]\n# nvtx = \"step_{i}\"\n\n";
  } else {
    text +=
        "# Not every profile has steps of one name. With such ranges, metrics are per iteration:\n# [iterations]\n# "
        "nvtx = \"step_{i}\"\n\n";
  }
  return text;
}

/// The label with the samples per iteration; empty: not in the names.
std::string batch_label(const Proposal& p) {
  for (const naming::NameLabel& label : p.names.labels) {
    const bool batch = label.name == "bs" || label.name.find("batch") != std::string::npos;
    if (batch && label.type == LabelType::kInteger && !label.descriptive) return label.name;
  }
  return {};
}

/// Whether iterations are batches, so that their rate is a throughput; a server counts tokens instead.
bool has_throughput(const Proposal& p) {
  return !p.ranges.iterations.empty() && !p.ranges.server.any() && !batch_label(p).empty();
}

/// The question on requests of a server, with the label of the batch if there is one.
std::string serving_part(const Proposal& p) {
  if (!p.ranges.server.any()) return {};
  std::string text =
      "# Ranges say that a server ran: time to the first token and per token, tokens and requests per second.\n"
      "# A claim on the p99 from token to token is in share/assay/configs/serving.toml.\n"
      "[serving]\n";
  const auto names = [&](const char* key, const std::vector<std::string>& folded) {
    std::vector<std::string> quoted;
    for (const std::string& name : folded) quoted.push_back(toml_string(name));
    if (!quoted.empty()) text += fmt::format("{} = [{}]\n", std::string(key), listed(quoted));
  };
  names("request", p.ranges.server.request);
  names("prefill", p.ranges.server.prefill);
  names("decode", p.ranges.server.decode);
  if (const std::string batch = batch_label(p); !batch.empty()) text += "batch_label = " + toml_string(batch) + "\n";
  return text +
         "\n# Times that the server took itself, without a profiler: claims on wall time prefer them.\n[[sheet]]\n"
         "id = \"plain\"\nfiles = [\"unprofiled*.json\", \"unprofiled*.csv\", \"plain*.json\", \"plain*.csv\"]\n\n";
}

/// A list from compared_metrics.txt, as TOML.
std::string compared_metrics(std::string_view name) {
  const std::size_t line = kComparedMetrics.find("\n" + std::string(name) + " = ") + 1;
  const std::size_t list = kComparedMetrics.find('[', line);
  return std::string(kComparedMetrics.substr(list, kComparedMetrics.find('\n', list) - list));
}

/// The first is the duration of a run.
std::string metrics_of(const Proposal& p) {
  if (p.ranges.iterations.empty()) return compared_metrics("window");
  return compared_metrics(has_throughput(p) ? "batches" : p.ranges.server.any() ? "server" : "iterations");
}

std::string effect_part(const Proposal& p) {
  if (p.comparisons.empty()) return "# Nothing varies between the profiles, so nothing is compared.\n";
  const Comparison& asked = p.comparisons.front();
  std::string text = "# What the label changes, in runs whose other labels are equal";
  text += asked.pairs > 0 ? " (" + std::to_string(asked.pairs) + (asked.pairs == 1 ? " pair)" : " pairs)")
                          : "; there is no such pair yet";
  text += fmt::format(".\n[analyzers.{}]\nlabel = {}\nbase = {}\nmetrics = {}\nwhy = true\n", std::string(kEffect),
                      toml_string(asked.label), toml_string(asked.base), metrics_of(p));
  for (std::size_t i = 1; i < p.comparisons.size(); ++i) {
    const Comparison& other = p.comparisons[i];
    text += fmt::format("# or: label = {}, base = {} ({}{}", toml_string(other.label), toml_string(other.base),
                        other.pairs, other.pairs == 1 ? " pair)\n" : " pairs)\n");
  }
  return text;
}

constexpr std::size_t kManyValues = 2;  ///< more values are not compared in pairs: the question becomes which is best

bool asks_for_best(const Proposal& p) { return !p.comparisons.empty() && p.comparisons.front().values > kManyValues; }

/// The question which value is the best, as a claim whose answer is a set.
std::string best_part(const Proposal& p) {
  const std::string label = p.comparisons.front().label, metrics = metrics_of(p);
  return fmt::format(
      "\n# Which {} is the best: the answer is the set of those that cannot be told apart by more than the margin. "
      "With one run per value\n# nothing can; 'assay record' repeats them in blocks.\n[analyzers.{}]\n[[claim]]\nid = "
      "\"best\"\ntext = {}\nmetric = {}\ncompare = \"best\"\nlabel = {}\nmargin = 0.01\n",
      label, std::string(kJudge), toml_string("Which " + label + " is the best?"),
      metrics.substr(1, metrics.find(',') - 1), toml_string(label));
}

}  // namespace

std::string id_of(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::weakly_canonical(folder, failed);
  if (failed) whole = folder;
  std::string id;
  for (const char c : whole.filename().string()) {
    if (c >= 'A' && c <= 'Z')
      id += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      id += c;
    else if (!id.empty() && id.back() != '_')
      id += '_';
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  return id.empty() ? "question" : id;
}

std::string toml_of(const Proposal& p) {
  const bool compares = !p.comparisons.empty();
  const std::string asked = asks_for_best(p) ? "Which " + p.comparisons.front().label + " is the best?"
                            : compares       ? "What does " + p.comparisons.front().label + " change?"
                            : p.job          ? "What does communication cost a step, and who waits for whom?"
                                             : "What ran, where does the time go, and what is worth trying?";
  const std::string id = id_of(p.folder);
  std::string text = fmt::format(
      "{} from the names and profiles in {}{}; edit as needed. 'assay describe ID' explains an\n# analyzer and its "
      "options, configs/README.md every key.\n[question]\nid = {}\ntitle = {}\ntext = {}\nanswered_by = "
      "[{}{}{}{}\"overview\"]\n\n",
      kProposedFile.begins, p.reports.size(), p.reports.size() == 1 ? " file" : " files", toml_string(id),
      toml_string(id), toml_string(asked), asks_for_best(p) ? toml_string(kJudge) + ", " : "",
      compares ? toml_string(kEffect) + ", " : "", p.ranges.server.any() ? "\"serving\", " : "",
      p.job ? "\"ranks\", \"communication\", " : "");
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::weakly_canonical(p.folder, failed);
  if (failed) whole = p.folder;
  text += "[reports]\nfolder = " + toml_string(whole.filename().string()) + "\n";
  const load::Format* format = load::format_named(p.kind);
  if (p.others) {
    std::string globs;
    for (const std::string_view glob : format == nullptr ? std::span<const std::string_view>() : format->names.globs)
      globs += (globs.empty() ? "\"" : ", \"") + std::string(glob) + "\"";
    text +=
        "# The folder also holds profiles of other kinds; ask about those in a question of their own.\ninclude = [" +
        globs + "]\n";
  }
  for (const std::string& line : p.understood) text += "# " + line + "\n";
  if (!p.understood.empty()) {
    text +=
        "# To correct this: exclude = [\"GLOB\"] leaves files out, [iterations] below names the steps, and a label "
        "with rank = true the ranks.\n";
  }
  text += fmt::format("\n{}{}{}{}", ranges_part(p.ranges), labels_part(p.names), matrix_part(p.names), serving_part(p));
  constexpr const char* kClasses = "from = [\"data/kernel_classes.toml\", \"data/tensor_cores.toml\"]\n";
  text += fmt::format(
      "[analyzers.run_summary]\n{}{}[analyzers.idle_causes]\n[analyzers.kernel_breakdown]\n{}[analyzers.overview]\n",
      has_throughput(p) && batch_label(p) != "batch" ? "batch_label = " + toml_string(batch_label(p)) + "\n" : "",
      p.ranges.seen.empty() ? "" : "[analyzers.ranges]\n", kClasses);
  if (format != nullptr && format->kind.framework) text += std::string("[analyzers.step_breakdown]\n") + kClasses;
  if (format != nullptr && format->kind.counters) text += std::string("[analyzers.kernel_bound]\n") + kClasses;
  if (p.job) text += "[analyzers.communication]\n[analyzers.ranks]\n";
  text += "\n";
  text += effect_part(p);
  if (asks_for_best(p)) return text + best_part(p);
  text += fmt::format(
      "\n# A claim to test on these runs ('assay describe {}'):\n# [analyzers.{}]\n# [[claim]]\n# id = \"faster\"\n# "
      "text = \"It takes at most {}.\"\n# metric = {}",
      std::string(kJudge), kJudge, compares ? "0.9 of the time" : "1 s",
      metrics_of(p).substr(1, metrics_of(p).find(',') - 1));
  if (!compares) return text + "\n# compare = \"level\"\n# between = [0, 1e9]\n";
  return fmt::format("{}\n# compare = \"ratio\"\n# label = {}\n# base = {}\n# between = [0, 0.9]\n", text,
                     toml_string(p.comparisons.front().label), toml_string(p.comparisons.front().base));
}

}  // namespace init
}  // namespace assay
