// Labels that kernel names reveal: the data type of matrix products and attention, and the implementation of attention.
#include <algorithm>
#include <map>
#include <utility>

#include "assay/words.hpp"
#include "evidence.hpp"
#include "judge.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// Share of the launches of one kind from which the run is of that kind.
constexpr double kMax = 0.9;
/// From this share of launches without a type in their names, those with one are not conclusive.
constexpr double kMaxUnnamed = 0.3;

/// The kind that a label's value names: "bfloat16" is "bf16"; empty: not visible in kernels.
std::string kind_of(std::string_view value, const std::vector<std::pair<std::string, std::string>>& spellings) {
  const std::string text = lower_case(value);
  for (const auto& [spelling, kind] : spellings) {
    if (text == spelling) return kind;
  }
  return {};
}

const std::vector<std::pair<std::string, std::string>>& types() {
  static const std::vector<std::pair<std::string, std::string>> spellings = {
      {"bf16", "bf16"},    {"bfloat16", "bf16"}, {"fp16", "fp16"},   {"f16", "fp16"},
      {"half", "fp16"},    {"float16", "fp16"},  {"fp32", "fp32"},   {"f32", "fp32"},
      {"float32", "fp32"}, {"float", "fp32"},    {"tf32", "tf32"},   {"fp64", "fp64"},
      {"f64", "fp64"},     {"float64", "fp64"},  {"double", "fp64"}, {"fp8", "fp8"}};
  return spellings;
}

const std::vector<std::pair<std::string, std::string>>& backends() {
  static const std::vector<std::pair<std::string, std::string>> spellings = {{"flash", "flash"},
                                                                             {"flash_attention", "flash"},
                                                                             {"flash-attention", "flash"},
                                                                             {"fa2", "flash"},
                                                                             {"fa3", "flash"},
                                                                             {"flash_attention_2", "flash"},
                                                                             {"efficient", "efficient"},
                                                                             {"mem_efficient", "efficient"},
                                                                             {"memory_efficient", "efficient"},
                                                                             {"xformers", "efficient"},
                                                                             {"mem-efficient", "efficient"},
                                                                             {"cudnn", "cudnn"},
                                                                             {"math", "math"},
                                                                             {"eager", "math"},
                                                                             {"naive", "math"}};
  return spellings;
}

using Launches = std::map<std::string, std::int64_t>;

/// "bf16*1200,fp32*12" read again.
Launches launches_from(std::string_view text) {
  Launches out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t star = part.find('*');
    if (star != std::string_view::npos)
      out[std::string(part.substr(0, star))] = std::stoll(std::string(part.substr(star + 1)));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return out;
}

double share_of(const Launches& launches, std::string_view kind) {
  std::int64_t sum = 0, own = 0;
  for (const auto& [name, count] : launches) {
    sum += count;
    if (name == kind) own = count;
  }
  return sum == 0 ? 0 : static_cast<double>(own) / static_cast<double>(sum);
}

/// The kind of most launches; empty if mixed.
std::string main_of(const Launches& launches) {
  for (const auto& [kind, count] : launches) {
    if (share_of(launches, kind) >= kMax) return kind;
  }
  return {};
}

std::string shown(const Launches& launches, const char* what) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : launches) {
    parts.push_back(with_commas(count) + " launches of " +
                    (kind == kUnnamedKind ? "no kind that the names show" : kind));
  }
  return std::string(what) + ": " + listed(parts);
}

/// Contradicted only if no launch is of the stated kind or unnamed. `kin`: kinds that may replace each other.
Judgement kind_judgement(const std::string& stated, const Launches& launches, const std::string& text,
                         const std::pair<std::string, std::string>& kin) {
  if (main_of(launches) == stated) return judged(LabelVerdict::kBorneOut, text);
  const std::string& alike = stated == kin.first ? kin.second : stated == kin.second ? kin.first : stated;
  for (const std::string& open : {stated, alike, std::string(kUnnamedKind)}) {
    if (launches.contains(open)) return judged(LabelVerdict::kUnverifiable, text + ", which does not decide");
  }
  return judged(LabelVerdict::kContradicted, text);
}

}  // namespace

void check_precision(Bench& bench, const Rules& rules) {
  const auto label = bench.view().label(rules.dtype_label);
  for (std::size_t r = 0; label && r < bench.reports(); ++r) {
    Launches launches = launches_from(bench.view().attribute(r, "label.dtypes").value_or(""));
    const std::string stated = kind_of(bench.text(r, *label), types());
    if (!bench.at(r, *label).stated || stated.empty() || launches.empty()) continue;
    const std::string text = shown(launches, "matrix products and attention");
    if (share_of(launches, kUnnamedKind) < kMaxUnnamed) launches.erase(std::string(kUnnamedKind));
    // TF32 kernels multiply fp32 numbers.
    bench.decide(r, *label, kind_judgement(stated, launches, text, {"fp32", "tf32"}));
  }
}

void check_attention(Bench& bench, const Rules& rules) {
  const auto label = bench.view().label(rules.attention_label);
  for (std::size_t r = 0; label && r < bench.reports(); ++r) {
    Launches launches = launches_from(bench.view().attribute(r, "label.attention").value_or(""));
    const std::string stated = kind_of(bench.text(r, *label), backends());
    if (!bench.at(r, *label).stated || stated.empty() || launches.empty()) continue;
    const bool fused = launches.size() > 1 || !launches.contains("math");
    if (fused) launches.erase("math");  // a softmax next to fused attention belongs to something else
    const std::string text = shown(launches, "attention");
    const auto compiled = bench.fact(r, "label.compiled_kernels");
    if (!fused && stated != "math" && ((compiled && *compiled > 0) || bench.graphs_hide_kernels(r))) {
      bench.decide(r, *label,
                   judged(LabelVerdict::kUnverifiable, text + ", and compiled kernels may hold the attention"));
    } else {
      // cuDNN's fused attention is a flash attention as well.
      bench.decide(r, *label, kind_judgement(stated, launches, text, {"flash", "cudnn"}));
    }
  }
}

}  // namespace assay::labels
