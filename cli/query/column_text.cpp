#include "cli/query/column_text.hpp"

#include <map>

namespace assay::query {

ColumnText column_text(std::string_view column) {
  static const std::map<std::string_view, ColumnText> texts = {
      {"report", {"", "path of the profile"}},
      {"id", {"", "row number; other tables refer to it"}},
      {"start", {"ns", "since the session began"}},
      {"end", {"ns", "since the session began"}},
      {"time", {"ns", "since the session began"}},
      {"duration", {"ns", "end - start"}},
      {"name", {"", "name as recorded"}},
      {"short_name", {"", "kernel name without namespaces, template arguments and parameters"}},
      {"mangled_name", {"", "name as the linker knows it"}},
      {"device", {"", "number of the GPU"}},
      {"stream", {"", "CUDA stream"}},
      {"context", {"", "CUDA context"}},
      {"call", {"", "row of calls: the API call that launched it"}},
      {"range", {"", "row of ranges: the innermost NVTX range around it"}},
      {"parent", {"", "row of the same table: the range or operator around it"}},
      {"op", {"", "row of ops: the innermost operator around the launch"}},
      {"thread", {"", "row of threads"}},
      {"process", {"", "row of processes"}},
      {"kernel", {"", "row of kernels"}},
      {"profiled", {"", "row of profiled: the same kernel in Nsight Compute"}},
      {"membership", {"", "inside, outside or foreign to the measured window"}},
      {"correlation", {"", "joins a launch to its work; unique per process"}},
      {"graph_node", {"", "node of the CUDA graph it ran as"}},
      {"graph", {"", "id of the CUDA graph"}},
      {"bytes", {"bytes", "size"}},
      {"direction", {"", "h2d, d2h, d2d, ..."}},
      {"registers", {"", "per thread"}},
      {"static_shared", {"bytes", "shared memory per block"}},
      {"dynamic_shared", {"bytes", "shared memory per block"}},
      {"executed_shared", {"bytes", "shared memory per block"}},
      {"shared_a_block", {"bytes", "static and dynamic shared memory per block"}},
      {"grid_x", {"", "blocks"}},
      {"grid_y", {"", "blocks"}},
      {"grid_z", {"", "blocks"}},
      {"block_x", {"", "threads"}},
      {"block_y", {"", "threads"}},
      {"block_z", {"", "threads"}},
      {"occupancy", {"0..1", "achieved occupancy as the profiler estimates it"}},
      {"value", {"", "text or number as recorded"}},
      {"severity", {"", "info, warning or error"}},
      {"text", {"", "what was found, in a sentence"}},
      {"pid", {"", "process number of the operating system"}},
      {"tid", {"", "thread number of the operating system"}},
      {"return_value", {"", "status that the call returned; 0 is success"}},
      {"twin", {"", "row of calls: the driver call within a runtime call"}},
  };
  const auto found = texts.find(column);
  return found == texts.end() ? ColumnText{} : found->second;
}

}  // namespace assay::query
