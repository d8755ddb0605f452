#include "algo/lever/lever.hpp"

#include <algorithm>
#include <functional>

namespace assay::lever {
namespace {

/// How a lever is written and said; "{}" is its place.
struct LeverWords {
  LeverKind kind;
  bool placed;  ///< it has a place
  std::string_view text, word, name, remedy;
};
constexpr LeverWords kWords[] = {
    {LeverKind::kHostCode, true, "host", "host code", "host code in '{}'",
     "make the host code in '{}' faster, or move it off the step: prefetch it in a thread or in workers"},
    {LeverKind::kRange, true, "range", "host code", "host code in '{}'",
     "take '{}' out of the step: prefetch it, do it less often or in another thread"},
    {LeverKind::kInterpreterLock, false, "lock-turns", "the interpreter lock",
     "another thread that holds the interpreter lock",
     "keep other Python threads from holding the interpreter lock: processes instead of threads"},
    {LeverKind::kLaunches, true, "launches", "launches", "launches in '{}'",
     "launch less in '{}': a CUDA graph, torch.compile, or more work a launch"},
    {LeverKind::kAllLaunches, false, "launches", "launches", "launches",
     "launch less: CUDA graphs, torch.compile, or more work a launch (a larger batch)"},
    {LeverKind::kSync, true, "sync", "synchronization", "waits for the device in '{}'",
     "take waits for the device out of '{}' (.item(), .cpu(), synchronize): read values back once a step"},
    {LeverKind::kAllocation, false, "allocation", "allocation", "allocating and freeing memory of the device",
     "keep memory between steps: no torch.cuda.empty_cache(), cudaMalloc or cudaFree in the loop"},
    {LeverKind::kCopies, true, "copies", "copies", "{} copies that no kernel hides",
     "copy ({}) while kernels run: pinned memory (pin_memory=True), non_blocking=True and a stream of its own"},
    {LeverKind::kFp32Products, false, "fp32-products", "fp32 products", "matrix products in fp32",
     "let matrix products use tensor cores: torch.set_float32_matmul_precision('high') for TF32, or autocast to bf16"},
    {LeverKind::kAttention, false, "unfused-attention", "unfused attention",
     "attention spelled out in products and softmax",
     "use flash attention: torch.nn.functional.scaled_dot_product_attention in bf16"},
    {LeverKind::kPointwise, false, "pointwise-chains", "pointwise kernels", "chains of pointwise kernels",
     "fuse chains of pointwise kernels: torch.compile, or one kernel for each chain"},
};
constexpr std::string_view kFusedOptimizer = "launch less in '{}': an optimizer with fused=True, or foreach=True";
constexpr std::string_view kLoadAhead =
    "load data ahead of its use: more workers (num_workers), persistent_workers=True, prefetch_factor";
constexpr std::string_view kNowhere = "code outside of ranges";

const LeverWords& words_of(LeverKind kind) { return *std::ranges::find(kWords, kind, &LeverWords::kind); }

std::string in_place(std::string_view words, const Lever& lever) {
  std::string text(words);
  const std::size_t at = text.find("{}");
  if (at == std::string::npos) return text;
  if (!lever.place.empty() || at == 0) return text.replace(at, 2, lever.place);
  return text.replace(at - 1, 4, kNowhere);  // with its quotes
}

}  // namespace

std::string text_of(const Lever& lever) {
  const LeverWords& words = words_of(lever.kind);
  return std::string(words.text) + (words.placed ? ":" + lever.place : "");
}

std::optional<Lever> lever_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  for (const LeverWords& words : kWords) {
    if (text.substr(0, colon) != words.text || words.placed != (colon != std::string_view::npos)) continue;
    return Lever{words.kind, words.placed ? std::string(text.substr(colon + 1)) : ""};
  }
  return std::nullopt;
}

std::string name_of(const Lever& lever) { return in_place(words_of(lever.kind).name, lever); }
std::string remedy_of(const Lever& lever) {
  const auto is_in = [&](std::string_view word) { return lever.place.find(word) != std::string::npos; };
  const bool host = lever.kind == LeverKind::kHostCode || lever.kind == LeverKind::kRange;
  if (host && is_in("DataLoader")) return std::string(kLoadAhead);
  return in_place(lever.kind == LeverKind::kLaunches && is_in("ptim") ? kFusedOptimizer : words_of(lever.kind).remedy,
                  lever);
}

std::string_view word_of(LeverKind kind) { return words_of(kind).word; }

void sort_levers(std::vector<Gain>& gains) {
  std::ranges::stable_sort(gains, std::greater<>(), &Gain::share);
  const auto waited_in = [](const Gain& gain) {
    const bool waits = gain.lever.kind == LeverKind::kSync || gain.lever.kind == LeverKind::kAllocation ||
                       gain.lever.kind == LeverKind::kCopies;
    return waits && gain.share >= kStandsOut;
  };
  const auto is_bound = [](const Gain& gain) { return gain.lever.kind == LeverKind::kAllLaunches; };
  const auto first = std::ranges::find_if_not(gains, is_bound);
  if (first == gains.end() || first->lever.kind != LeverKind::kLaunches) return;
  const auto wait = std::ranges::find_if(gains, waited_in);
  if (wait != gains.end()) std::rotate(gains.begin(), wait, wait + 1);
}

std::vector<Gain> limiting(const std::vector<Gain>& gains, double error) {
  std::vector<Gain> out;
  for (const Gain& gain : gains) {
    if (gain.lever.kind == LeverKind::kAllLaunches || gain.share < kStandsOut || out.size() == 2) continue;
    if (out.empty() || (gain.share <= out.front().share && out.front().share - gain.share <= error))
      out.push_back(gain);
  }
  return out;
}

}  // namespace assay::lever
