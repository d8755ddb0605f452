#include "interner.hpp"

#include <functional>

namespace assay::pickles {

std::uint32_t Interner::intern(std::string_view bytes) {
  const std::size_t hash = std::hash<std::string_view>{}(bytes);
  const auto half = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].number != kFree; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == half && this->at(slots_[at].number) == bytes) return slots_[at].number;
  }
  const std::uint32_t number = size();
  slots_[at] = {half, number};
  bytes_ += bytes;
  begins_.push_back(bytes_.size());
  if (size() > slots_.size() / 2) grow();
  return number;
}

void Interner::grow() {
  slots_.assign(slots_.size() * 2, {});
  for (std::uint32_t number = 0; number < size(); ++number) {
    const std::size_t hash = std::hash<std::string_view>{}(at(number));
    std::size_t free = hash & (slots_.size() - 1);
    while (slots_[free].number != kFree) free = (free + 1) & (slots_.size() - 1);
    slots_[free] = {static_cast<std::uint32_t>(hash >> 32), number};
  }
}

}  // namespace assay::pickles
