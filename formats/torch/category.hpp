// Meaning of the categories and names of a trace's events.
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

/// Category of a complete event (ph X) from its `cat`, in the vocabulary of 2021 and later.
Category category_of(std::string_view cat);

/// The category of an event of that name in `cat`, whose category is `known`: one of MTIA holds all work of the device.
Category category_by_name(Category known, std::string_view cat, std::string_view name);

/// Whether events of an unread category only repeat others: those of the profiler itself, and annotations projected
/// onto the device.
bool repeats_others(std::string_view cat);

/// Whether an operator is an annotation: early versions wrote annotations as operators.
bool is_annotation(std::string_view name);

/// Direction from "Memcpy HtoD (Pageable -> Device)", or "HOST_TO_DEVICE".
CopyDirection direction_of_copy(std::string_view name);

/// Kinds of memory from "Memcpy HtoD (Pageable -> Device)" ; for "Memset (Device)" only the target;
/// kUnknown if the name does not contain them.
struct MemoryKinds {
  MemoryKind source = MemoryKind::kUnknown, target = MemoryKind::kUnknown;
};
MemoryKinds memory_kinds_of(std::string_view name);

/// CUPTI_ActivitySynchronizationType from names such as "Stream Wait Event"; 0: another name.
std::int32_t sync_type_of(std::string_view name);

/// Bytes per element from PyTorch's type name, "Float" or "BFloat16"; 0: unknown.
std::int64_t dtype_bytes(std::string_view dtype);

/// "0,1" from "[0, 1]"; empty if the list is truncated ("...") or has other elements than numbers.
std::string rank_list(std::string_view text);

/// A JSON string with its escapes resolved; malformed escapes stay unchanged.
std::string unescaped(std::string_view text);

}  // namespace assay::load
