#include "evidence.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/words.hpp"

namespace assay::labels {
namespace {

/// Words in the names of matrix products and attention, whose data type counts.
constexpr std::string_view kTypedKernels[] = {"gemm", "nvjet", "cutlass", "conv", "fprop", "flash", "fmha", "mma"};

/// Kernels whose lower-case name contains the word are of the kind; the first word that a name holds counts.
struct KernelWord {
  std::string_view kind, word;
};
constexpr KernelWord kDtypeWords[] = {
    {"bf16", "bfloat16"}, {"bf16", "bf16"},  {"bf16", "_tst_"},  {"fp8", "fp8"},     {"fp8", "e4m3"},
    {"fp8", "e5m2"},      {"fp16", "half"},  {"fp16", "fp16"},   {"fp16", "f16f16"}, {"fp16", "_hsh_"},
    {"fp16", "_hss_"},    {"fp16", "hgemm"}, {"fp16", "h16816"}, {"fp16", "h884"},   {"tf32", "tf32"},
    {"tf32", "s1688"},    {"fp64", "dgemm"}, {"fp64", "f64f64"}, {"fp32", "sgemm"},  {"fp32", "f32f32_f32f32"},
    {"fp32", "<float"},   {"fp32", "_f32_"}};
constexpr std::string_view kNoAttention = "-";
constexpr KernelWord kAttentionWords[] = {{"cudnn", "native_sdpa"},
                                          {"cudnn", "cudnn_generated_fort"},
                                          {"flash", "flash_fwd"},
                                          {"flash", "flash_bwd"},
                                          {"flash", "flash_attn"},
                                          {"flash", "flashattn"},
                                          {"efficient", "fmha_cutlass"},
                                          {"efficient", "memeffattention"},
                                          {kNoAttention, "logsoftmax"},
                                          {kNoAttention, "log_softmax"},
                                          {"math", "softmax"}};

/// The first of the words that a name contains, determined once per distinct name.
class WordMatch {
 public:
  static constexpr int kNone = -1;

  WordMatch(const Report& report, std::vector<std::string> words)
      : report_(report), words_(std::move(words)), known_(static_cast<std::size_t>(report.strings.size), kUnknown) {}

  /// Index among the words, or kNone.
  int at(StringId name) {
    int& known = known_[name];
    if (known == kUnknown) {
      const std::string text = lower_case(report_.string(name));
      const auto holds = [&](const std::string& word) { return text.find(word) != std::string::npos; };
      const auto found = std::find_if(words_.begin(), words_.end(), holds);
      known = found == words_.end() ? kNone : static_cast<int>(found - words_.begin());
    }
    return known;
  }
  bool operator()(StringId name) { return at(name) != kNone; }

 private:
  static constexpr int kUnknown = -2;
  const Report& report_;
  std::vector<std::string> words_;
  std::vector<int> known_;
};

std::vector<std::string> words_of(std::span<const KernelWord> kinds) {
  std::vector<std::string> out;
  for (const KernelWord& kind : kinds) out.emplace_back(kind.word);
  return out;
}

/// Launches in the window by kind of kernel name, for the labels that need it.
void add_kinds(const Report& report, const Rules& rules, Evidence& evidence) {
  const KernelTable& k = *report.kernels;
  if (!k.name.present() || (rules.dtype_label.empty() && rules.attention_label.empty())) return;
  WordMatch typed(report, {std::begin(kTypedKernels), std::end(kTypedKernels)}), dtype(report, words_of(kDtypeWords)),
      attention(report, words_of(kAttentionWords));
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (k.membership[row] != Membership::kInside) continue;
    if (!rules.dtype_label.empty() && typed(k.name[row])) {
      const int at = dtype.at(k.name[row]);
      ++evidence.dtypes[std::string(at < 0 ? kUnnamedKind : kDtypeWords[at].kind)];
    }
    const int at = rules.attention_label.empty() ? WordMatch::kNone : attention.at(k.name[row]);
    if (at >= 0 && kAttentionWords[at].kind != kNoAttention)
      ++evidence.attention[std::string(kAttentionWords[at].kind)];
  }
}

/// Devices of the rows inside the window.
template <class Events>
void add_devices_of(const Events& events, std::set<std::int32_t>& devices) {
  std::int32_t last = kNone;
  for (std::size_t row = 0; row < events.rows; ++row) {
    if (events.membership[row] != Membership::kInside || events.device[row] == last) continue;
    last = events.device[row];
    devices.insert(last);
  }
}

/// Number of blocks of a launch; empty if unknown, or if the product overflows.
std::optional<std::int64_t> blocks_of(const KernelTable& k, std::size_t row) {
  std::int64_t blocks = 1;
  for (const std::int32_t side : {k.grid_x[row], k.grid_y[row], k.grid_z[row]}) {
    if (side <= 0 || __builtin_mul_overflow(blocks, std::int64_t{side}, &blocks)) return std::nullopt;
  }
  return blocks;
}

void add_kernels(const Report& report, const Rules& rules, Evidence& evidence) {
  const KernelTable& k = *report.kernels;
  const bool named = k.name.present();
  const bool grids = k.grid_x.present() && k.grid_y.present() && k.grid_z.present();
  WordMatch compiled(report, rules.compiled_kernels), by_row(report, rules.row_kernels),
      by_width(report, rules.width_kernels);
  std::int64_t count = 0;
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (k.membership[row] != Membership::kInside) continue;
    const bool fused = named && compiled(k.name[row]);
    if (fused) ++count;
    const auto blocks = grids ? blocks_of(k, row) : std::nullopt;
    if (!blocks) continue;
    ++evidence.all_grids[*blocks];
    if (!named) continue;
    if (by_row(k.name[row])) ++(fused ? evidence.compiled_row_grids : evidence.row_grids)[*blocks];
    if (by_width(k.name[row])) ++(fused ? evidence.compiled_width_grids : evidence.width_grids)[*blocks];
  }
  if (named) evidence.compiled_kernels = count;
}

/// Graphs launched in the window. Traced by node they leave calls but no rows; an export without calls may still have
/// rows.
void add_graph_launches(const Report& report, Evidence& evidence) {
  std::int64_t calls = 0, rows = 0;
  if (report.calls != nullptr) {
    for (std::size_t row = 0; row < report.calls->rows; ++row) {
      const bool launches = report.calls->kind[row] == CallKind::kGraphLaunch;
      calls += launches && report.calls->in_window[row] != 0 ? 1 : 0;
    }
  }
  if (report.graphs != nullptr) {
    const auto membership = report.graphs->membership.view();
    rows = std::count(membership.begin(), membership.end(), Membership::kInside);
  }
  if (report.calls != nullptr || report.graphs != nullptr) evidence.graph_launches = std::max(calls, rows);
}

void add_devices(const Report& report, Evidence& evidence) {
  if (report.kernels != nullptr) add_devices_of(*report.kernels, evidence.devices_used);
  if (report.graphs != nullptr) add_devices_of(*report.graphs, evidence.devices_used);
  std::set<std::string_view> names;
  for (std::size_t d = 0; d < report.devices->rows; ++d) {
    const std::int32_t id = report.devices->id[d];
    evidence.devices_listed.insert(id);
    const std::string_view name = report.devices->name.present() ? report.devices->name[d].view() : std::string_view();
    if (evidence.devices_used.contains(id) && !name.empty()) names.insert(name);
  }
  for (const std::string_view name : names)
    evidence.machine += (evidence.machine.empty() ? "" : ", ") + std::string(name);
}

void add_copies(const CopyTable& c, std::int64_t iterations, Evidence& evidence) {
  if (!c.bytes.present() || !c.direction.present() || iterations == 0) return;
  std::map<std::int64_t, std::int64_t> count_of;  // by bytes of a copy
  for (std::size_t row = 0; row < c.rows; ++row) {
    if (c.membership[row] != Membership::kInside || c.direction[row] != CopyDirection::kHostToDevice) continue;
    if (c.bytes[row] > 0) ++count_of[c.bytes[row]];
  }
  for (const auto& [bytes, count] : count_of) {
    // A pipeline may prefetch: the remainder belongs to no iteration of the window.
    const std::int64_t of_iteration = bytes * (count / iterations);
    if (of_iteration == 0 || (evidence.iteration_bytes && of_iteration < *evidence.iteration_bytes)) continue;
    evidence.copy_bytes = bytes;
    evidence.iteration_bytes = of_iteration;
  }
}

}  // namespace

Evidence evidence_of(const Report& report, const Rules& rules) {
  Evidence evidence;
  if (report.kernels != nullptr) {
    add_kernels(report, rules, evidence);
    add_kinds(report, rules, evidence);
  }
  add_graph_launches(report, evidence);
  add_devices(report, evidence);
  const auto iterations =
      report.iterations != nullptr ? static_cast<std::int64_t>(report.iterations->rows) : std::int64_t{0};
  if (report.copies != nullptr) add_copies(*report.copies, iterations, evidence);
  return evidence;
}

std::string grids_text(const Grids& grids) {
  std::string out;
  std::size_t count = 0;
  for (const auto& [blocks, launches] : grids) {
    if (++count > kMaxGrids) break;
    out += filled("{}{}*{}", {out.empty() ? "" : ",", std::to_string(blocks), std::to_string(launches)});
  }
  return out;
}

Grids grids_from(std::string_view text) {
  Grids grids;
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    std::int64_t blocks = 0, launches = 1;
    const auto [after, error] = std::from_chars(at, end, blocks);
    if (error != std::errc()) break;
    at = after;
    if (at < end && *at == '*') {
      const auto [stop, failed] = std::from_chars(at + 1, end, launches);
      if (failed != std::errc()) break;
      at = stop;
    }
    grids[blocks] += launches;
    if (at < end && *at++ != ',') break;
  }
  return grids;
}

}  // namespace assay::labels
