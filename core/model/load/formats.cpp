// The one list of formats that are part of the program.
#include "load/format.hpp"
#include "load/ncu/ncu_load.hpp"
#include "load/nsys/nsys_load.hpp"
#include "load/rocpd/rocpd_load.hpp"
#include "load/trace/trace_load.hpp"

namespace assay::load {

std::span<const Format* const> linked_formats() {
  static constexpr const Format* kFormats[] = {
      &kNsysFormat,
      &kRocpdFormat,
      &kTraceFormat,
      &kNcuFormat,
  };
  return kFormats;
}

}  // namespace assay::load
