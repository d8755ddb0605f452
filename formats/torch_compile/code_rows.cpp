#include "code_rows.hpp"

#include <charconv>

namespace assay::torch_compile {
namespace {

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

void add_once(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

PendingCode& CodeRows::pending(const std::string& id, std::int64_t row, std::int64_t attempt) {
  constexpr std::size_t kMaxPending = 16;
  if (!pending_.contains(id) && pending_.size() >= kMaxPending)
    flush(std::ranges::min_element(pending_, {}, [](const auto& one) { return one.second.age; })->first);
  PendingCode& code = pending_[id];
  if (code.attempt != kNoCell && attempt > code.attempt) code = {};
  code.attempt = std::max(code.attempt, attempt);
  if (code.row == kNone) code.row = row;
  code.age = ++age_;
  return code;
}

void CodeRows::set_text(PendingCode& code, std::string CompiledTexts::* text, std::string content) {
  const bool is_code = text == &CompiledTexts::python_code || text == &CompiledTexts::cpp_code;
  if (code.has_code() && (code.is_mapped || is_code)) {
    add_rows(code);
    PendingCode next;
    next.texts.before_grad = std::move(code.texts.before_grad);
    next.row = code.row, next.attempt = code.attempt, next.age = code.age;
    code = std::move(next);
  }
  code.texts.*text = std::move(content);
}

void CodeRows::flush(const std::string& id, std::int64_t row) {
  const auto at = pending_.find(id);
  if (at == pending_.end()) return;
  if (row != kNone) at->second.row = row;
  add_rows(at->second);
  pending_.erase(at);
}

void CodeRows::add_rows(const PendingCode& code) {
  if (code.is_mapped) return add_mapped(code);
  // Without tracking of provenance the code names the nodes of its kernels, and the graph their lines.
  for (const DefinedKernel& kernel : defined_kernels(code.texts.python_code))
    add_kernel({.compilation = code.row, .nodes = texts_.intern(joined(kernel.nodes))}, kernel,
               lines_of_nodes(kernel.nodes, code.texts.before_grad));
}

void CodeRows::add_mapped(const PendingCode& code) {
  const std::vector<DefinedKernel> defined = defined_kernels(code.texts.python_code);
  for (const auto& [kernel, after] : code.texts.kernel_to_after) {
    const std::size_t colon = kernel.rfind(':');
    const std::string_view name = std::string_view(kernel).substr(0, colon);
    const auto known = std::ranges::find(defined, name, &DefinedKernel::name);
    GeneratedKernel out{.compilation = code.row, .post_grad_nodes = texts_.intern(joined(after))};
    if (colon != std::string::npos) std::from_chars(&kernel[colon] + 1, kernel.data() + kernel.size(), out.call);
    Names before;
    for (const std::string& node : after) {
      const auto at = code.texts.after_to_before.find(node);
      for (const std::string& one : at == code.texts.after_to_before.end() ? Names() : at->second)
        add_once(before, one);
    }
    out.nodes = texts_.intern(joined(before));
    const auto stacks = code.stacks.find(kernel);
    add_kernel(
        out, known == defined.end() ? DefinedKernel{name, {}, {}} : *known,
        stacks != code.stacks.end() ? lines_of_stacks(stacks->second) : lines_of_nodes(before, code.texts.before_grad));
  }
  for (const LineMap& map : line_maps(code.texts)) {
    const StringId name = texts_.intern(map.name);
    for (const auto& [line, others] : map.lines) {
      for (const std::size_t other : others)
        rows_.lines.push_back({code.row, name, static_cast<std::int64_t>(line), static_cast<std::int64_t>(other)});
    }
  }
}

void CodeRows::add_kernel(GeneratedKernel kernel, const DefinedKernel& defined, const std::vector<ModelLine>& lines) {
  Names places, code;
  for (const ModelLine& line : lines) {
    add_once(places, line.place);
    add_once(code, line.code);
  }
  const std::string_view file = defined.file.substr(defined.file.rfind('/') + 1);
  kernel.name = texts_.intern(defined.name);
  kernel.kernel_file = texts_.intern(defined.file);
  kernel.hash = texts_.intern(file.substr(0, file.rfind('.')));
  kernel.place = texts_.intern(joined(places));
  kernel.code = texts_.intern(joined(code));
  rows_.kernels.push_back(kernel);
}

}  // namespace assay::torch_compile
