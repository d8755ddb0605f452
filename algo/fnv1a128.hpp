// FNV-1a with 128 bits: a hash that is equal in every build and on every machine, because fingerprints from different
// machines are compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

class Fnv1a128 {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      low_ ^= static_cast<unsigned char>(c);
      multiply();
    }
  }
  /// 32 hexadecimal digits, most significant first.
  [[nodiscard]] std::string hex() const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const std::uint64_t half : {high_, low_}) {
      for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(half >> shift) & 15];
    }
    return out;
  }

 private:
  /// Multiplies by the prime 2^88 + 0x13B, modulo 2^128.
  void multiply() {
    constexpr std::uint64_t kSmall = 0x13B;
    const std::uint64_t lower = (low_ & 0xFFFFFFFF) * kSmall;
    const std::uint64_t upper = (low_ >> 32) * kSmall + (lower >> 32);
    const std::uint64_t carried = upper >> 32;
    high_ = high_ * kSmall + carried + (low_ << 24);
    low_ = (upper << 32) | (lower & 0xFFFFFFFF);
  }
  std::uint64_t high_ = 0x6C62272E07BB0142ULL, low_ = 0x62B821756295C58DULL;
};

}  // namespace assay
