// A plugin's descriptor as this host knows it, whichever minor version the plugin was built for.
#pragma once

#include <vector>

#include "assay/abi.hpp"

namespace assay {

/// The exported constant copied member by member into structures of this host's size: what the plugin's are too short
/// for has its default. Texts and lists of numbers and names stay in the library. Not movable: it points into itself.
class OwnDescriptor {
 public:
  /// `symbol`: a descriptor for which the handshake holds. A list that cannot be read stays as it is, so that
  /// declaration_problem finds it.
  explicit OwnDescriptor(const void* symbol);
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;

  [[nodiscard]] const Descriptor& view() const { return descriptor_; }

 private:
  Descriptor descriptor_;
  std::vector<MetricSpec> produces_;
  std::vector<OptionSpec> options_, claim_keys_;
  std::vector<AttributeSpec> attributes_;
};

/// Lists and texts of a descriptor that are longer than this are damage.
inline constexpr std::uint64_t kMostElements = 1U << 12, kLongestText = 1U << 16;

inline bool readable(Str text) { return text.size == 0 || (text.data != nullptr && text.size <= kLongestText); }
template <class T>
bool readable(Span<T> list) {
  return list.size == 0 || (list.data != nullptr && list.size <= kMostElements);
}

}  // namespace assay
