#include "plugins/own_descriptor.hpp"

#include <algorithm>
#include <cstring>

namespace assay {
namespace {

/// Elements with a stride of `size` bytes, each as far as both sides know it.
template <class Spec>
void copy_specs(Span<Spec>& list, std::uint32_t size, std::vector<Spec>& to) {
  if (list.empty() || list.data == nullptr || list.size > kMaxElements) return;
  to.resize(static_cast<std::size_t>(list.size));
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::memcpy(static_cast<void*>(&to[i]), reinterpret_cast<const char*>(list.data) + i * size,
                std::min<std::size_t>(size, sizeof(Spec)));
  }
  list = to;
}

}  // namespace

OwnDescriptor::OwnDescriptor(const void* symbol) {
  AbiSizes sizes;
  std::memcpy(&sizes, static_cast<const char*>(symbol) + offsetof(Descriptor, sizes), sizeof(sizes));
  std::memcpy(static_cast<void*>(&descriptor_), symbol, std::min<std::size_t>(sizes.descriptor, sizeof(Descriptor)));
  copy_specs(descriptor_.produces, sizes.metric_spec, produces_);
  copy_specs(descriptor_.options, sizes.option_spec, options_);
  copy_specs(descriptor_.claim_keys, sizes.option_spec, claim_keys_);
  copy_specs(descriptor_.attributes, sizes.attribute_spec, attributes_);
}

}  // namespace assay
