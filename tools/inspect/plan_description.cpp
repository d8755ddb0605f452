#include "inspect/plan_description.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "config/expected_runs.hpp"
#include "config/label_value.hpp"
#include "load/columns.hpp"

namespace assay {
namespace {

template <class Items, class ToText>
std::string listed(const Items& items, ToText to_text, std::string_view separator = ", ") {
  std::string text;
  for (const auto& item : items) text.append(text.empty() ? "" : separator).append(to_text(item));
  return text;
}

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string value_text(const OptionSet::Entry& entry) {
  if (const auto* v = std::get_if<bool>(&entry.value)) return *v ? "true" : "false";
  if (const auto* v = std::get_if<std::int64_t>(&entry.value)) return std::to_string(*v);
  if (const auto* v = std::get_if<double>(&entry.value)) return shortest(*v);
  if (const auto* v = std::get_if<std::string>(&entry.value)) return in_quotes(*v);
  if (const auto* v = std::get_if<std::vector<double>>(&entry.value)) return "[" + listed(*v, shortest) + "]";
  return "[" +
         listed(std::get<std::vector<std::string>>(entry.value), [](const std::string& t) { return in_quotes(t); }) +
         "]";
}

/// "    " + padded key + text as a line; empty without a text.
std::string line(std::string_view key, const std::string& text) {
  if (text.empty()) return {};
  std::string out = "  " + std::string(key);
  out.resize(std::max<std::size_t>(out.size() + 1, 14), ' ');
  return out + text + "\n";
}

std::string window_text(const WindowSpec& window) {
  if (window.nvtx.empty()) return "the whole capture";
  return fmt::format("range {}{}{}", in_quotes(window.nvtx),
                     window.mode == WindowMode::kHost ? ", host times" : ", projected onto the device",
                     window.fallback_capture ? ", the whole capture where it is missing" : "");
}

std::string label_line(const LabelSpec& label) {
  std::string text = label.name + " (" + std::string(label_type_name(label.type));
  if (label.default_value) text += ", default " + *label.default_value;
  return text + (label.descriptive ? ", descriptive)" : ")");
}

std::string sources(const Question& question) {
  const auto same = [](const std::string& text) { return text; };
  const ReportSelection& reports = question.reports;
  std::string text = reports.folder.empty()
                         ? "all in --reports"
                         : "folder " + in_quotes(reports.folder) + ", or all in --reports without it";
  if (!reports.include.empty()) text += "; only " + listed(reports.include, same);
  if (!reports.exclude.empty()) text += "; without " + listed(reports.exclude, same);
  return text;
}

std::string producer_of(const PlannedQuestion& planned, const std::string& name) {
  for (const PlannedAnalyzer& analyzer : planned.analyzers) {
    const Descriptor& d = analyzer.plugin->descriptor();
    for (const MetricSpec& metric : d.produces) {
      if (metric.id == name) return std::string(d.id);
    }
    for (const AttributeSpec& attribute : d.attributes) {
      if (attribute.name == name) return std::string(d.id);
    }
  }
  return "host";  // a fingerprint
}

std::string produced(const Descriptor& d) {
  return listed(d.produces, [](const MetricSpec& m) { return std::string(m.id); });
}

std::string describe_analyzer(const PlannedAnalyzer& analyzer, const PlannedQuestion& planned, bool whole) {
  const Descriptor& d = analyzer.plugin->descriptor();
  std::string text = fmt::format("    {} {}\n", std::string(d.id), std::string(d.version));
  constexpr std::size_t kLong = 80;  // rules of kernels, for example
  for (const OptionSet::Entry& entry : analyzer.options.entries()) {
    const bool shown = entry.given && value_text(entry).size() <= kLong;
    if (!whole && !shown) continue;
    text += fmt::format("      {} = {}{}", entry.name, value_text(entry), entry.given ? "\n" : "  (default)\n");
  }
  if (!whole) return text;
  const std::string produces = produced(d);
  const std::string attributes = listed(d.attributes, [](const AttributeSpec& a) { return std::string(a.name); });
  const std::string consumes = listed(analyzer.consumes, [&](const std::string& name) {
    return fmt::format("{} ({})", name, producer_of(planned, name));
  });
  if (!produces.empty()) text += "      produces " + produces + "\n";
  if (!attributes.empty()) text += "      attributes " + attributes + "\n";
  if (!consumes.empty()) text += "      reads " + consumes + "\n";
  return text;
}

std::string describe_question(const PlannedQuestion& planned, bool whole) {
  const Question& question = *planned.question;
  const auto same = [](const std::string& text) { return text; };
  std::string text = fmt::format("question {} ({})\n", question.id, question.file.string());
  text += line("title", question.title);
  text += line("reports", sources(question));
  text += line("plugins", listed(question.plugins.folders, [](const auto& folder) { return folder.string(); }));
  text += line("requires",
               listed(question.plugins.required, [](const RequiredPlugin& r) { return r.analyzer + " " + r.least; }));
  text += line("noise", listed(question.noise_reports, same));
  text += line("window", window_text(question.window));
  text += line("iterations", question.iterations.nvtx.empty()
                                 ? "none"
                                 : "ranges " + listed(question.iterations.nvtx,
                                                      [](const std::string& name) { return in_quotes(name); }));
  text += line("names", listed(question.labels.patterns, same));
  text += line("suffixes", listed(question.labels.suffixes, [](const SuffixSpec& s) { return s.match; }));
  text += line("labels", listed(question.labels.labels, label_line));
  if (!question.matrix.empty()) text += line("expected", std::to_string(expected_runs(question).size()) + " runs");
  text += "  analyzers, in this order\n";
  for (const PlannedAnalyzer& analyzer : planned.analyzers) text += describe_analyzer(analyzer, planned, whole);
  const std::string judged = planned.judge == nullptr ? "" : ", judged by " + std::string(planned.judge->id());
  text += line("claims", std::to_string(planned.claims.size()) + judged);
  return text;
}

std::string column_name(ColumnId id) {
  const ColumnInfo* info = find_column(id);
  return info == nullptr ? std::to_string(static_cast<unsigned>(id)) : std::string(info->name);
}

}  // namespace

std::string describe_plan(const Plan& plan, bool whole) {
  std::string text;
  for (const PlannedQuestion& planned : plan.questions) text += describe_question(planned, whole) + "\n";
  if (!whole) return text;
  return fmt::format("{}read from each profile: {}\n", text,
                     plan.wanted.empty() ? "nothing" : listed(plan.wanted, column_name));
}

std::vector<PlanRow> plan_rows(const Plan& plan) {
  std::vector<PlanRow> rows;
  for (const PlannedQuestion& planned : plan.questions) {
    for (const PlannedAnalyzer& analyzer : planned.analyzers) {
      const Descriptor& d = analyzer.plugin->descriptor();
      rows.push_back({planned.question->id, std::string(d.id), std::string(d.version),
                      listed(analyzer.options.entries(),
                             [](const OptionSet::Entry& entry) { return entry.name + " = " + value_text(entry); }),
                      produced(d), listed(analyzer.consumes, [](const std::string& name) { return name; })});
    }
  }
  return rows;
}

}  // namespace assay
