// Dumps as JSON (_dump_nccl_trace_json), turned into the pickle of equal content, so that both have one reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::flight_recorder {

struct PickledJson {
  std::string bytes;       ///< a pickle; cut off after the last value that was read if the JSON is damaged
  std::size_t damaged_at;  ///< byte of the JSON; npos: it is intact
};

PickledJson pickle_of(std::string_view json);

}  // namespace assay::flight_recorder
