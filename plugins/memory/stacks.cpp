#include "stacks.hpp"

#include <algorithm>

#include "assay/detail/memory_tables.hpp"

namespace assay::memory {
namespace {

constexpr std::string_view kNoStack = "no stack (autograd's own threads have none)";
constexpr std::string_view kNoOperator = "outside of operators", kModule = "nn.Module: ";
constexpr std::string_view kNode = "autograd::engine::evaluate_function: ";

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view name_of(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

Stacks::Stacks(const Report& report, const DeclaredTable& table)
    : report_(report),
      parent_(table.integers("parent")),
      line_(table.integers("line")),
      function_(table.texts("function")),
      file_(table.texts("file")),
      has_operators_(std::ranges::any_of(file_, [&](StringId file) { return report.string(file).empty(); })) {
  // Parents precede their children. Everything inside an optimizer, autograd or a recomputation is part of it; a
  // forward inside autograd is a recomputation.
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
  if (holds(path, "torch/optim/") || name.starts_with("Optimizer.step#")) return Part::kOptimizer;
  if (holds(path, "torch/utils/checkpoint") && (name == "recompute_fn" || name == "unpack_hook" || name == "backward"))
    return Part::kRecompute;
  if (holds(name, "torch::autograd::Engine") || name.starts_with(kNode)) return Part::kBackward;
  if (name.starts_with(kModule)) return Part::kForward;
  if ((holds(path, "torch/_tensor.py") || holds(path, "torch/autograd/")) && holds(name, "backward"))
    return Part::kBackward;
  if (holds(path, "torch/nn/modules/module.py") && holds(name, "_call_impl")) return Part::kForward;
  return Part::kProgram;
}

bool Stacks::is_own(std::size_t frame) const {
  const std::string_view path = file(frame);
  if (path == memory_tables::kAnnotationFile.view()) return true;
  const bool of_python = path.ends_with(".py") && !holds(path, "-packages/") && !holds(path, "/lib/python");
  return of_python && !path.starts_with("torch/") && !path.starts_with("<");
}

std::string Stacks::frame_text(std::size_t frame) const {
  const std::string_view path = name_of(file(frame));
  if (path.empty() || path == memory_tables::kAnnotationFile.view()) return std::string(function(frame));
  std::string text(path);
  text += ":" + std::to_string(line_[frame]) + " ";
  return text + std::string(function(frame));
}

std::size_t Stacks::outermost_operator(std::size_t frame) const {
  std::size_t outermost = frame;
  for (auto f = static_cast<std::int64_t>(frame); f != kNone; f = parent_[f]) {
    const std::string_view name = function(static_cast<std::size_t>(f));
    if (!file(static_cast<std::size_t>(f)).empty() || name.starts_with('<') || name.starts_with(kModule)) break;
    if (!name.starts_with(kNode) && !name.starts_with("Optimizer.step#")) outermost = static_cast<std::size_t>(f);
  }
  return outermost;
}

std::string Stacks::text(std::int64_t stack) const {
  if (stack == kNone) return std::string(has_operators_ ? kNoOperator : kNoStack);
  constexpr std::size_t kMax = 4;
  std::string text = frame_text(outermost_operator(static_cast<std::size_t>(stack)));
  std::size_t named = 1;
  for (std::int64_t f = parent_[stack]; f != kNone && named < kMax; f = parent_[f]) {
    if (!is_own(static_cast<std::size_t>(f))) continue;
    text += " < " + frame_text(static_cast<std::size_t>(f));
    ++named;
  }
  return text;
}

std::string Stacks::module(std::int64_t stack) const {
  std::string layer, path_of_modules;
  for (std::int64_t f = stack; f != kNone; f = parent_[f]) {
    const auto frame = static_cast<std::size_t>(f);
    const std::string_view path = file(frame), name = function(frame);
    if (name.starts_with(kModule)) {
      const std::string inner = path_of_modules.empty() ? "" : "/" + path_of_modules;
      path_of_modules = std::string(name.substr(kModule.size())) + inner;
      continue;
    }
    if (has_operators_) {
      if (layer.empty() && part_of_frame(frame) == Part::kOptimizer) layer = "optimizer";
      if (layer.empty() && name.starts_with(kNode)) layer = "backward of " + std::string(name.substr(kNode.size()));
      continue;
    }
    if (is_own(frame)) return (layer.empty() ? "" : layer + " in ") + frame_text(frame);
    if (layer.empty() && holds(path, "torch/nn/modules/") && name == "forward")
      layer = name_of(path).substr(0, name_of(path).rfind('.'));
    if (layer.empty() && holds(path, "torch/optim/")) layer = "optimizer";
  }
  if (!layer.empty()) return layer;
  if (!path_of_modules.empty()) return path_of_modules;
  return std::string(has_operators_ ? "outside of modules" : kNoStack);
}

}  // namespace assay::memory
