// 128 bits that stand for bytes. XXH3 (xxHash): as fast as memory is read, well kept, and the same on every machine. It
// does not withstand an attacker who makes two files of one digest; whoever can write reports or the cache of a user
// needs no such trick.
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

/// 32 digits and letters of a file name.
std::string hex(const Digest& digest);

/// Digest of bytes that come piece by piece.
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

/// `hex` of all that the file holds; nothing where it cannot be read.
std::optional<std::string> hex_of_file(const std::filesystem::path& file);

}  // namespace assay::files
