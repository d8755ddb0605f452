// A plugin's descriptor in this host's layout, whichever minor version the plugin was built for.
#pragma once

#include <vector>

#include "assay/abi.hpp"

namespace assay {

/// The exported constant copied member by member into structures of this host's size; members that the plugin's lack
/// have defaults. Texts and lists of numbers and names stay in the library. Not movable: it points into itself.
class OwnDescriptor {
 public:
  /// `symbol`: a descriptor that passed the handshake. Keeps an unreadable list as it is, so that declaration_problem
  /// finds it.
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

/// Longer lists and texts of a descriptor are damage.
inline constexpr std::uint64_t kMaxElements = 1U << 12, kLongestText = 1U << 16;

inline bool within_limits(Str text) { return text.size == 0 || (text.data != nullptr && text.size <= kLongestText); }
template <class T>
bool within_limits(Span<T> list) {
  return list.size == 0 || (list.data != nullptr && list.size <= kMaxElements);
}

}  // namespace assay
