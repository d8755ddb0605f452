#include "code_lines.hpp"

#include <algorithm>

#include "payloads.hpp"

namespace assay::torch_compile {
namespace {

bool has(std::string_view line, std::string_view text) { return line.find(text) != std::string_view::npos; }

/// What a line of a graph assigns: "mul" of "mul: "f32[8]" = ..."; any other line as it is; empty: a comment.
std::string_view node_of(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.starts_with('#')) return {};
  const std::string_view assigned = text.substr(0, text.find('='));
  return trimmed(assigned.substr(0, assigned.find(':')));
}

LineLists lines_of_graph(std::string_view graph) {
  LineLists lines;
  std::size_t number = 0;
  each_line(graph, [&](std::string_view line) {
    ++number;
    if (const std::string_view node = node_of(line); !node.empty())
      lines.insert_or_assign(std::string(node), std::vector{number});
  });
  return lines;
}

/// "int64_t kernel_xnumel_1 = value;" and the like: declares a variable that is named like the kernel.
bool declares_length(std::string_view line) {
  const std::size_t at = line.rfind("_xnumel");
  if (at == std::string_view::npos || !has(trimmed(line.substr(0, at)), " ")) return false;
  std::string_view rest = line.substr(at + 7);
  if (rest.starts_with('_')) rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  return trimmed(rest).starts_with('=');
}

/// Code of one language, as kernels are looked for in it.
class Code {
 public:
  Code(std::string_view text, bool is_cpp) : is_cpp_(is_cpp) {
    each_line(text, [&](std::string_view line) {
      if (!lines_.empty() || !line.empty()) lines_.push_back(line);
    });
    const auto find = [&](auto&& is) {
      const auto at = std::ranges::find_if(lines_, is);
      return at == lines_.end() ? std::size_t{0} : static_cast<std::size_t>(at - lines_.begin());
    };
    begin_ = find([&](std::string_view line) {
      return is_cpp ? has(line, "::run_impl(") : has(line, "def") && has(line, "call") && has(line, "(args)");
    });
    if (!is_cpp) first_ = find([](std::string_view line) { return has(line, "# AOT ID:"); });
  }

  [[nodiscard]] LineLists lines_of(const NameLists& kernels) const {
    LineLists lines;
    for (const auto& [kernel, nodes] : kernels) lines.emplace(kernel, calls_of(kernel));
    return lines;
  }

 private:
  /// Lines that call a kernel: the one after the comment with its name and number, else all with its name.
  [[nodiscard]] std::vector<std::size_t> calls_of(const std::string& kernel) const {
    const std::size_t colon = is_cpp_ ? kernel.rfind(':') : kernel.find(':');
    const std::string_view name = std::string_view(kernel).substr(0, colon);
    std::vector<std::size_t> all;
    for (std::size_t i = begin_; i < lines_.size(); ++i) {
      const std::string_view text = trimmed(lines_[i]);
      if (!has(text, name)) continue;
      all.push_back(i + 1 - first_);
      const bool is_definition = is_cpp_ && (text.starts_with("def") || text.starts_with("static inline void"));
      if (colon == std::string::npos || !has(text, kernel) || is_definition) continue;
      for (std::size_t j = i + 1; j < lines_.size(); ++j) {
        if (has(lines_[j], name) && !(is_cpp_ && declares_length(lines_[j]))) return {j + 1 - first_};
      }
    }
    return all;
  }

  std::vector<std::string_view> lines_;
  std::size_t begin_ = 0, first_ = 0;  ///< the function that calls the kernels; the line that is number 1
  bool is_cpp_;
};

LineMap line_map(const char* name, const NameLists& lists, const LineLists& from, const LineLists& to) {
  LineMap map{name, {}};
  for (const auto& [key, others] : lists) {
    const auto lines = from.find(key);
    std::vector<std::size_t> targets;
    for (const std::string& other : others) {
      if (const auto at = to.find(other); at != to.end())
        targets.insert(targets.end(), at->second.begin(), at->second.end());
    }
    if (lines == from.end() || targets.empty()) continue;
    for (const std::size_t line : lines->second) map.lines[line] = targets;
  }
  return map;
}

ModelLine model_line(std::string_view file, std::int64_t line, std::string_view code) {
  return {place_text(file, line), std::string(code), has(file, "-packages/") || has(file, "/torch/")};
}

std::vector<ModelLine> distinct(const std::vector<ModelLine>& all) {
  const bool has_own = std::ranges::any_of(all, [](const ModelLine& line) { return !line.is_of_library; });
  std::vector<ModelLine> lines;
  for (const ModelLine& line : all) {
    const bool is_known = line.place.empty() || std::ranges::find(lines, line) != lines.end();
    if (!is_known && !(has_own && line.is_of_library)) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<LineMap> line_maps(const CompiledTexts& texts) {
  const LineLists before = lines_of_graph(texts.before_grad), after = lines_of_graph(texts.after_grad);
  const LineLists python = Code(texts.python_code, false).lines_of(texts.kernel_to_after);
  const LineLists cpp = Code(texts.cpp_code, true).lines_of(texts.kernel_to_after);
  return {line_map("preToPost", texts.before_to_after, before, after),
          line_map("postToPre", texts.after_to_before, after, before),
          line_map("pyCodeToPost", texts.kernel_to_after, python, after),
          line_map("postToPyCode", texts.after_to_kernel, after, python),
          line_map("cppCodeToPost", texts.kernel_to_after, cpp, after),
          line_map("postToCppCode", texts.after_to_kernel, after, cpp)};
}

std::vector<ModelLine> lines_of_nodes(const Names& nodes, std::string_view graph) {
  std::map<std::string_view, ModelLine> known;
  ModelLine now;
  each_line(graph, [&](std::string_view line) {
    const std::string_view text = trimmed(line);
    constexpr std::string_view kFile = "# File: ", kCode = ", code: ";
    if (text.starts_with(kFile)) {
      const std::size_t code = text.find(kCode);
      now = model_line(text.substr(kFile.size(), text.find(" in ") - kFile.size()), -1,
                       code == std::string_view::npos ? std::string_view() : text.substr(code + kCode.size()));
    } else if (const std::string_view node = node_of(line); !node.empty()) {
      known.insert_or_assign(node, now);
    }
  });
  std::vector<ModelLine> lines;
  for (const std::string& node : nodes) {
    if (const auto at = known.find(node); at != known.end()) lines.push_back(at->second);
  }
  return distinct(lines);
}

std::vector<ModelLine> lines_of_stacks(const Names& tracebacks) {
  std::vector<ModelLine> lines;
  for (const std::string& one : tracebacks) {
    const SourcePlace frame = innermost_frame(one);
    lines.push_back(model_line(frame.file, frame.line, frame.code));
  }
  return distinct(lines);
}

std::vector<DefinedKernel> defined_kernels(std::string_view code) {
  constexpr std::string_view kPath = "# kernel path: ", kNodes = "# Topologically Sorted Source Nodes: [",
                             kDefined = "async_compile.triton('";
  std::vector<DefinedKernel> kernels;
  DefinedKernel next;
  each_line(code, [&](std::string_view line) {
    if (line.starts_with(kPath)) {
      next = {{}, trimmed(line.substr(kPath.size())), {}};
    } else if (line.starts_with(kNodes)) {
      std::string_view nodes = line.substr(kNodes.size());
      for (nodes = nodes.substr(0, nodes.find(']')); !nodes.empty();) {
        const std::size_t comma = std::min(nodes.find(','), nodes.size());
        next.nodes.emplace_back(trimmed(nodes.substr(0, comma)));
        nodes.remove_prefix(std::min(comma + 1, nodes.size()));
      }
      std::erase(next.nodes, "");
    } else if (const std::size_t at = line.find(kDefined); at != std::string_view::npos) {
      next.name = line.substr(at + kDefined.size());
      next.name = next.name.substr(0, next.name.find('\''));
      kernels.push_back(std::move(next));
      next = {};
    }
  });
  return kernels;
}

}  // namespace assay::torch_compile
