#include "difference/html.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/plot.hpp"
#include "assay/quantity.hpp"
#include "conclude/owned_plot.hpp"
#include "difference/answer.hpp"
#include "difference/page.hpp"
#include "look/print.hpp"
#include "render/html/html.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"

namespace assay::compare {
namespace {
using difference::Comparison;

constexpr std::size_t kBars = 12;
/// On a narrow screen the names of rows stay in sight.
constexpr std::string_view kOwnStyle =
    "details{margin-left:1.2em}summary .d{font-variant-numeric:tabular-nums}"
    "@media(max-width:44rem){td:first-child{min-width:6.5rem;max-width:13rem;position:sticky;left:0;"
    "background:var(--ground)}}";

/// From the step before to the step after, the largest changes one on another.
std::string waterfall(const Comparison& c) {
  std::vector<std::string> names, kinds;
  std::vector<double> ends, lows, highs;
  double at = static_cast<double>(c.accounts.step.before);
  const auto add = [&](const std::string& name, double change, const std::string& kind) {
    const double to = at + change;
    names.push_back(name), kinds.push_back(kind);
    ends.push_back(to), lows.push_back(std::min(at, to)), highs.push_back(std::max(at, to));
    at = to;
  };
  add("before", 0, "step");
  double rest = static_cast<double>(c.accounts.step.difference);
  std::vector<const difference::Finding*> largest;
  for (const difference::Finding& f : c.findings) largest.push_back(&f);
  std::stable_sort(largest.begin(), largest.end(), [](const auto* a, const auto* b) {
    return std::abs(a->amount.difference) > std::abs(b->amount.difference);
  });
  for (std::size_t i = 0; i < std::min(kBars, largest.size()); ++i) {
    const double change = static_cast<double>(largest[i]->amount.difference);
    add(std::to_string(i + 1) + " " + shortened(one_line(difference::finding_text(*largest[i])), 60), change,
        change > 0 ? "longer" : "shorter");
    rest -= change;
  }
  add("all others", rest, rest > 0 ? "longer" : "shorter");
  add("after", 0, "step");
  Table data("waterfall", "From before to after");
  data.add("change", "", names), data.add("kind", "", kinds);
  data.add("step", "ns", ends), data.add("from", "ns", lows), data.add("to", "ns", highs);
  Plot plot;
  plot.id = "waterfall", plot.title = "From before to after";
  plot.x = {"mean step", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {"", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "change";
  plot.layers.push_back({PlotMark::kPoint, std::move(data), {"step", "change", "from", "to", "kind"}});
  OwnedPlot owned;
  const std::string problem = plot.with_view([&](const PlotView& view) { return copy_plot(view, owned); });
  if (!problem.empty()) return {};
  return "<h2>From before to after</h2>\n<figure class=\"plot\"><div class=\"canvas\" tabindex=\"0\" role=\"group\" "
         "aria-label=\"Plot: From before to after\">" +
         svg_element(owned, drawing_of(owned)) +
         "</div><figcaption>Each line starts at the step time before a change and ends at the step time after "
         "it.</figcaption></figure>\n";
}

/// The step, opened range by range down to kernels.
struct Node {
  difference::StepAmount amount;
  std::map<std::string, Node> inner;
};

void add_amount(Node& node, const difference::StepAmount& amount) {
  node.amount.before += amount.before, node.amount.after += amount.after;
  node.amount.difference += amount.difference;
}

std::string opened(const std::string& name, const Node& node, std::size_t depth) {
  const std::string line = html(name) + " <span class=\"d\">" + html(difference::signed_time(node.amount.difference)) +
                           "</span> (" + html(quantity(static_cast<double>(node.amount.before), "ns")) + " to " +
                           html(quantity(static_cast<double>(node.amount.after), "ns")) + ")";
  if (node.inner.empty()) return "<div>" + line + "</div>\n";
  std::vector<const std::pair<const std::string, Node>*> sorted;
  for (const auto& one : node.inner) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::abs(a->second.amount.difference) > std::abs(b->second.amount.difference);
  });
  std::string out = std::string(depth == 0 ? "<details open>" : "<details>") + "<summary>" + line + "</summary>\n";
  for (const auto* one : sorted) out += opened(one->first, one->second, depth + 1);
  return out + "</details>\n";
}

/// A range may be called by any number of '/': what lies deeper than kMaxDepth is opened at once.
std::string drill_down(const Comparison& c) {
  constexpr std::size_t kMaxDepth = 80;
  Node step;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const difference::AlignedItem& row = c.alignment.rows[r];
    const difference::Item& item =
        row.before != difference::kNoItem ? c.before.items[row.before] : c.after.items[row.after];
    const difference::StepAmount& amount = c.accounts.rows[r];
    Node* node = &step;
    add_amount(*node, amount);
    const auto open = [&](const std::string& name) {
      node = &node->inner[name];
      add_amount(*node, amount);
    };
    for (std::size_t at = 0, depth = 1; at < item.key.path.size(); ++depth) {
      const std::size_t slash = depth < kMaxDepth ? item.key.path.find('/', at) : std::string::npos;
      const std::size_t end = std::min(slash, item.key.path.size());
      open(item.key.path.substr(at, end - at));
      at = end + 1;
    }
    const bool idle = item.key.kind == difference::ItemKind::kIdle;
    if (!idle && !item.key.op.empty()) open(item.key.op);
    open(idle ? "idle: " + item.key.op + (item.key.name.empty() ? "" : " after " + item.key.name)
              : item.key.name + (item.key.shape.empty() ? "" : " [" + item.key.shape + "]") +
                    (row.match == difference::Match::kSame
                         ? ""
                         : " (" + std::string(difference::match_name(row.match)) + ")"));
  }
  return "<h2>The step, opened</h2>\n" + opened("step", step, 0);
}

}  // namespace

std::string comparison_html(const std::vector<Comparison>& comparisons, const std::string& gate) {
  std::string out;
  for (std::size_t n = 0; n < comparisons.size(); ++n) {
    const Comparison& c = comparisons[n];
    const look::Page page = page_of(c, true);
    out += "<section><h1>" + html(page.headline) + "</h1>\n<p class=\"lead\">" + html(page.title) + "</p>\n";
    if (n == 0 && !gate.empty()) out += "<p>" + html(gate) + "</p>\n";
    for (const look::PageSection& part : page.parts) {
      out += look::html_part(part, "t" + std::to_string(n) + "-" + slug(part.title));
      if (part.main) out += waterfall(c) + drill_down(c);
    }
    out += "</section>\n";
  }
  return html_document("What changed – assay compare", svg_style() + std::string(kOwnStyle), out);
}

}  // namespace assay::compare
