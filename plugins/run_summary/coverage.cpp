#include "coverage.hpp"

namespace assay::summary {
namespace {

std::string counted(std::int64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

/// For a table that is null.
std::optional<std::string> missing_rows(const Report& report, std::int64_t calls_that_make_rows, const char* call,
                                        const char* table) {
  if (report.calls == nullptr) return std::string("neither a ") + table + " table nor API calls were recorded";
  if (calls_that_make_rows == 0) return std::nullopt;
  return "the window has " + counted(calls_that_make_rows, call) + " but the profile has no " + table + " table";
}

}  // namespace

Coverage coverage_of(const Report& report, const CallSummary& calls, const KernelSummary& kernels) {
  Coverage out;
  if (report.calls == nullptr) out.calls = "no API calls were recorded";
  if (report.kernels == nullptr)
    out.kernels = missing_rows(report, calls.launches(), "kernel or graph launch call", "kernel");
  if (report.copies == nullptr) out.copies = missing_rows(report, calls.copy_calls, "copy call", "copy");
  if (report.graphs == nullptr) {
    out.graphs = missing_rows(report, calls.graph_launches, "graph launch call", "graph trace");
    if (kernels.from_graphs == 0) out.opaque = out.graphs;
  }
  const bool kernels_lost = report.graphs == nullptr && out.kernels.has_value();
  if (kernels_lost) {
    out.gpu = out.kernels;
  } else if (report.graphs == nullptr && report.calls != nullptr && out.opaque) {
    out.gpu = out.opaque;
  }
  return out;
}

}  // namespace assay::summary
