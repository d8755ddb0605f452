#include "work.hpp"

namespace assay::summary {
namespace {

template <class Table>
Work work_of(const Table* table) {
  Work work;
  if (table == nullptr) return work;
  work.rows = static_cast<std::size_t>(table->rows);
  work.start = table->start.view();
  work.end = table->end.view();
  work.device = table->device.view();
  work.stream = table->stream.view();
  work.process = table->process.view();
  work.call = table->call.view();
  work.membership = table->membership.view();
  if constexpr (requires { table->context; }) work.context = table->context.view();
  return work;
}

}  // namespace

GpuWork gpu_work_of(const Report& report) {
  return {{work_of(report.kernels), work_of(report.graphs), work_of(report.copies), work_of(report.sets)}};
}

}  // namespace assay::summary
