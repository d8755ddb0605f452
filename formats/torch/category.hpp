// What the categories and names of a trace's events say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay::load {

enum class Category : std::uint8_t {
  kOther,  ///< flows, spans of the profiler itself, annotations projected onto the device: not read
  kKernel,
  kCopy,
  kSet,
  kCall,
  kSync,
  kOperator,
  kPythonFunction,
  kAnnotation,
  kOverhead,
  kMemory,
};
inline constexpr std::size_t kCategories = 11;

/// Of a complete event (ph X) by its `cat`, in the words of 2021 and those of later.
Category category_of(std::string_view cat);

/// Whether events of a category that is not read only repeat what others say: of the profiler itself, and annotations
/// projected onto the device.
bool repeats_others(std::string_view cat);

/// Whether an operator is an annotation: before there was a category for them they were written as operators.
bool is_annotation(std::string_view name);

/// "Memcpy HtoD (Pageable -> Device)" as a direction.
CopyDirection direction_of_copy(std::string_view name);

/// "Memcpy HtoD (Pageable -> Device)" as kinds of memory in the numbers of nsys, 0 pageable; of "Memset (Device)" the
/// target alone; kNone where the name does not say.
struct MemoryKinds {
  std::int32_t source = kNone, target = kNone;
};
MemoryKinds memory_kinds_of(std::string_view name);

/// "Stream Wait Event" and its like as CUPTI_ActivitySynchronizationType; 0: another.
std::int32_t sync_type_of(std::string_view name);

/// Bytes of an element by the name that PyTorch gives its type: "Float", "BFloat16"; 0: not known.
std::int64_t dtype_bytes(std::string_view dtype);

/// "0,1" of "[0, 1]"; empty where the list is cut off ("...") or holds anything but numbers.
std::string rank_list(std::string_view text);

/// A string of JSON with its escapes resolved; malformed ones stay as they stand.
std::string unescaped(std::string_view text);

}  // namespace assay::load
