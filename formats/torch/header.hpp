// What a trace contains besides its events: devices, distributed run, versions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/format.hpp"

namespace assay::load {

class TraceHeader {
 public:
  explicit TraceHeader(TableSink& out) : out_(out) {}
  /// A value of the top level; TraceText::kPadding bytes after it must be readable.
  void read_field(std::string_view key, std::string_view value);
  /// Time 0 of the events in ns since the epoch; 0 if unknown.
  [[nodiscard]] std::int64_t base() const { return base_; }
  /// Adds the devices, and those that ran work but have no description. A device described under one number and used
  /// under another (ROCm counts processors as well) is merged.
  void add_devices(std::set<std::int32_t> used);

 private:
  void read_devices(std::string_view value);

  struct Device {
    DeviceView view;
    std::string name;
  };
  TableSink& out_;
  std::vector<Device> devices_;
  std::int64_t base_ = 0;
};

}  // namespace assay::load
