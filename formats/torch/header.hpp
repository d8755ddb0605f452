// What a trace says beside its events: devices, distributed run, versions.
#pragma once

#include <cstdint>
#include <string_view>

#include "load/store.hpp"

namespace assay::load {

class TraceHeader {
 public:
  explicit TraceHeader(Profile::Store& store);
  /// One value of the top level; TraceText::kPadding bytes behind it can be read.
  void read_field(std::string_view key, std::string_view value);
  /// What the times of events are counted from, ns since the epoch; 0 where the trace does not say.
  [[nodiscard]] std::int64_t base() const { return base_; }
  /// Adds the devices that ran something but are not described. One device described under one number and used under
  /// another (ROCm counts processors too) is one.
  void complete_devices();

 private:
  void add_devices(std::string_view value);
  void add_device(std::int32_t id);

  Profile::Store& store_;
  std::int64_t base_ = 0;
};

}  // namespace assay::load
