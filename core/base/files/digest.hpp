// 128-bit content digest, XXH3 (xxHash): runs at memory bandwidth, is well maintained, and is equal on every machine.
// Not collision-resistant; an attacker who can write a user's reports or cache needs no collision.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace assay::files {

struct Digest {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

/// 32 hexadecimal digits, for file names.
std::string hex(const Digest& digest);

/// Digest of bytes that arrive in pieces.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void add(std::string_view bytes);
  [[nodiscard]] Digest value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest digest_of(std::string_view bytes);

/// `hex` of the content of the file; empty if it cannot be read.
std::optional<std::string> hex_of_file(const std::filesystem::path& file);

}  // namespace assay::files
