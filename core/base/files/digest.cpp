#include "files/digest.hpp"

#include <xxhash.h>

#include <fstream>
#include <new>

namespace assay::files {
namespace {

Digest own(const XXH128_hash_t& hash) { return {hash.high64, hash.low64}; }

struct Free {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

struct Digester::State {
  std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

Digester::Digester() : state_(std::make_unique<State>()) {
  if (state_->xxh == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_->xxh.get());
}

Digester::~Digester() = default;

void Digester::add(std::string_view bytes) { XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size()); }

Digest Digester::value() const { return own(XXH3_128bits_digest(state_->xxh.get())); }

Digest digest_of(std::string_view bytes) { return own(XXH3_128bits(bytes.data(), bytes.size())); }

std::string hex(const Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t half : {digest.high, digest.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[half >> shift & 15];
  }
  return text;
}

std::optional<std::string> hex_of_file(const std::filesystem::path& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) return std::nullopt;
  Digester digester;
  std::string piece(kPiece, '\0');
  do {
    stream.read(piece.data(), static_cast<std::streamsize>(kPiece));
    digester.add(std::string_view(piece).substr(0, static_cast<std::size_t>(stream.gcount())));
  } while (stream);
  return hex(digester.value());
}

}  // namespace assay::files
