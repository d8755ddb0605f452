// Which lines of generated code, of the graph after and of the graph before autograd's passes belong together, and
// which lines of the model a kernel comes from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::torch_compile {

using Names = std::vector<std::string>;
using NameLists = std::map<std::string, Names, std::less<>>;
using LineLists = std::map<std::string, std::vector<std::size_t>, std::less<>>;  ///< lines, from 1, by name

/// Texts of a compilation, as logged.
struct CompiledTexts {
  std::string before_grad, after_grad, python_code, cpp_code;
  /// What inductor_provenance_tracking_node_mappings states: nodes of both graphs and kernels that belong together.
  NameLists before_to_after, after_to_before, kernel_to_after, after_to_kernel;
};

struct LineMap {
  const char* name;  ///< as tlparse calls it: "pyCodeToPost"
  std::map<std::size_t, std::vector<std::size_t>> lines;
};
/// All six, as tlparse computes them (convert_node_mappings_to_line_numbers).
std::vector<LineMap> line_maps(const CompiledTexts& texts);

/// A line of the model, as comments of a graph name it: "File: /a/model.py:12 in forward, code: h = s.u(x)".
struct ModelLine {
  std::string place, code;
  bool is_of_library = false;
  bool operator==(const ModelLine&) const = default;
};
/// Lines that nodes of a graph come from, each once; those of libraries only if there are no others.
std::vector<ModelLine> lines_of_nodes(const Names& nodes, std::string_view graph);
/// Likewise of the innermost frames of tracebacks.
std::vector<ModelLine> lines_of_stacks(const Names& tracebacks);

/// A kernel of Triton that the code defines.
struct DefinedKernel {
  std::string_view name, file;
  Names nodes;  ///< of the graph before autograd, that it computes
};
std::vector<DefinedKernel> defined_kernels(std::string_view code);

}  // namespace assay::torch_compile
