// What a trace contains besides its events: devices, distributed run, versions.
#pragma once

#include <cstdint>
#include <string_view>

#include "load/store.hpp"

namespace assay::load {

class TraceHeader {
 public:
  explicit TraceHeader(Profile::Store& store);
  /// A value of the top level; TraceText::kPadding bytes after it must be readable.
  void read_field(std::string_view key, std::string_view value);
  /// Time 0 of the events in ns since the epoch; 0 if unknown.
  [[nodiscard]] std::int64_t base() const { return base_; }
  /// Adds devices that ran work but have no description. A device described under one number and used under another
  /// (ROCm counts processors as well) is merged.
  void complete_devices();

 private:
  void add_devices(std::string_view value);
  void add_device(std::int32_t id);

  Profile::Store& store_;
  std::int64_t base_ = 0;
};

}  // namespace assay::load
