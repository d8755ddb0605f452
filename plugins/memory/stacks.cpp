#include "stacks.hpp"

#include <algorithm>

namespace assay::memory {
namespace {

constexpr std::string_view kNoStack = "no stack (autograd's own threads have none)";

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view name_of(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

Stacks::Stacks(const Report& report, const DeclaredTable& table)
    : report_(report),
      parent_(table.integers("parent")),
      line_(table.integers("line")),
      function_(table.texts("function")),
      file_(table.texts("file")) {
  // Parents come before their children. What lies inside of an optimizer, of autograd or of a recomputation is part of
  // it; a forward inside of autograd is a recomputation.
  for (std::size_t f = 0; f < table.rows; ++f) {
    const Part around = part(parent_[f]), own = part_of_frame(f);
    const bool kept = around == Part::kOptimizer || around == Part::kRecompute ||
                      (around == Part::kBackward && own != Part::kForward && own != Part::kRecompute) ||
                      (around == Part::kForward && own == Part::kProgram);
    const bool again = around == Part::kBackward && own == Part::kForward;
    parts_.push_back(kept ? around : again ? Part::kRecompute : own);
  }
}

Part Stacks::part_of_frame(std::size_t frame) const {
  const std::string_view path = file(frame), name = function(frame);
  if (holds(path, "torch/optim/")) return Part::kOptimizer;
  if (holds(path, "torch/utils/checkpoint") && (name == "recompute_fn" || name == "unpack_hook" || name == "backward"))
    return Part::kRecompute;
  if (holds(name, "torch::autograd::Engine")) return Part::kBackward;
  if ((holds(path, "torch/_tensor.py") || holds(path, "torch/autograd/")) && holds(name, "backward"))
    return Part::kBackward;
  if (holds(path, "torch/nn/modules/module.py") && holds(name, "_call_impl")) return Part::kForward;
  return Part::kProgram;
}

bool Stacks::is_own(std::size_t frame) const {
  const std::string_view path = file(frame);
  const bool of_python = path.ends_with(".py") && !holds(path, "-packages/") && !holds(path, "/lib/python");
  return of_python && !path.starts_with("torch/") && !path.starts_with("<");
}

std::string Stacks::frame_text(std::size_t frame) const {
  const std::string_view path = name_of(file(frame));
  std::string text(path);
  if (!path.empty()) text += ":" + std::to_string(line_[frame]) + " ";
  return text + std::string(function(frame));
}

std::string Stacks::text(std::int64_t stack) const {
  if (stack == kNone) return std::string(kNoStack);
  constexpr std::size_t kMost = 4;
  std::string text = frame_text(static_cast<std::size_t>(stack));
  std::size_t named = 1;
  for (std::int64_t f = parent_[stack]; f != kNone && named < kMost; f = parent_[f]) {
    if (!is_own(static_cast<std::size_t>(f))) continue;
    text += " < " + frame_text(static_cast<std::size_t>(f));
    ++named;
  }
  return text;
}

std::string Stacks::module(std::int64_t stack) const {
  std::string layer;
  for (std::int64_t f = stack; f != kNone; f = parent_[f]) {
    const auto frame = static_cast<std::size_t>(f);
    const std::string_view path = file(frame);
    if (is_own(frame)) return (layer.empty() ? "" : layer + " in ") + frame_text(frame);
    if (layer.empty() && holds(path, "torch/nn/modules/") && function(frame) == "forward")
      layer = name_of(path).substr(0, name_of(path).rfind('.'));
    if (layer.empty() && holds(path, "torch/optim/")) layer = "optimizer";
  }
  return layer.empty() ? std::string(kNoStack) : layer;
}

}  // namespace assay::memory
