#include "assay/testing/report_builder.hpp"

namespace assay::testing {

ReportBuilder::ReportBuilder(std::string path) : path_(std::move(path)) {}
ReportBuilder::~ReportBuilder() = default;

Row ReportBuilder::call(CallKind kind, std::int64_t start, std::int64_t end, std::uint32_t thread,
                        CallOptions options) {
  return calls_.add(AddedCall{start, end, kind, thread, std::move(options)});
}

Row ReportBuilder::kernel(std::string name, std::int64_t start, std::int64_t end, KernelOptions options) {
  return kernels_.add(AddedKernel{start, end, std::move(name), std::move(options)});
}

Row ReportBuilder::graph(std::int64_t graph, std::int64_t start, std::int64_t end, WorkOptions options) {
  return graphs_.add(AddedWork{start, end, graph, {}, options});
}

Row ReportBuilder::copy(CopyDirection direction, std::int64_t bytes, std::int64_t start, std::int64_t end,
                        WorkOptions options) {
  return copies_.add(AddedWork{start, end, bytes, direction, options});
}

Row ReportBuilder::set(std::int64_t bytes, std::int64_t start, std::int64_t end, WorkOptions options) {
  return sets_.add(AddedWork{start, end, bytes, {}, options});
}

Row ReportBuilder::range(std::string name, std::int64_t start, std::int64_t end, RangeOptions options) {
  return ranges_.add(AddedRange{start, end, std::move(name), std::move(options)});
}

Row ReportBuilder::span(std::string name, std::int64_t start, std::int64_t end, RangeOptions options) {
  return spans_.add(AddedRange{start, end, std::move(name), std::move(options)});
}

Row ReportBuilder::sync(std::int32_t type, std::int64_t start, std::int64_t end, WorkOptions options) {
  return syncs_.add(AddedWork{start, end, type, {}, options});
}

Row ReportBuilder::cause(std::string name, std::int64_t start, std::int64_t end, std::uint32_t thread) {
  return causes_.add(AddedRange{start, end, std::move(name), {.thread = thread}});
}

Row ReportBuilder::overhead(std::int64_t start, std::int64_t end, std::uint32_t process) {
  return overheads_.add(AddedWork{start, end, 0, {}, {.process = process}});
}

Row ReportBuilder::iteration(std::int64_t number, std::int64_t start, std::int64_t end, std::uint32_t thread) {
  return iterations_.add(AddedIteration{start, end, number, thread});
}

Row ReportBuilder::op(OpKind kind, std::string name, std::int64_t start, std::int64_t end, OpOptions options) {
  return ops_.add(AddedOp{start, end, kind, std::move(name), std::move(options)});
}

Row ReportBuilder::allocation(std::int64_t bytes, std::int64_t time, AllocationOptions options) {
  return allocations_.add(AddedAllocation{time, time, bytes, options});
}

Row ReportBuilder::profiled(std::string name, ProfiledOptions options) {
  return profiled_.add(std::move(name), std::move(options));
}

ReportBuilder& ReportBuilder::counter(Row profiled, std::string name, double value, CounterOptions options) {
  profiled_.add_counter(profiled, std::move(name), value, std::move(options));
  return *this;
}

ReportBuilder& ReportBuilder::collective(Row kernel, CollectiveKind kind, CollectiveOptions options) {
  collectives_.push_back({kernel, kind, std::move(options)});
  return *this;
}

ReportBuilder& ReportBuilder::property(std::string name, std::string value) {
  properties_.emplace_back(std::move(name), std::move(value));
  return *this;
}

ReportBuilder& ReportBuilder::device(std::int32_t id, DeviceOptions options) {
  devices_[id] = std::move(options);
  return *this;
}

ReportBuilder& ReportBuilder::issue(std::string name, Severity severity, std::int64_t count, std::string text) {
  issues_.push_back({std::move(name), std::move(text), severity, count});
  return *this;
}

ReportBuilder& ReportBuilder::window(std::string name, Interval projected, std::optional<Interval> host) {
  named_window_ = NamedWindow{std::move(name), projected, host.value_or(projected)};
  return *this;
}

ReportBuilder& ReportBuilder::captured(ColumnId table) {
  captured_.insert(table);
  return *this;
}

ReportBuilder& ReportBuilder::absent(ColumnId column) {
  absent_.insert(column);
  return *this;
}

ReportBuilder& ReportBuilder::every_column() {
  every_column_ = true;
  return *this;
}

const Report& ReportBuilder::build() {
  built_ = {};
  pool_.clear();
  strings_ = {std::string()};
  sort_rows();
  build_hosts();
  build_calls();
  build_work();
  build_collectives();
  build_iterations();
  build_devices();
  build_window();
  for (const auto& give : given_) give();
  if (every_column_) fill_columns();
  finish();
  build_steps();
  return built_.report;
}

}  // namespace assay::testing
