#include "files/digest.hpp"

#include <xxhash.h>

#include <fstream>
#include <iterator>
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
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) return std::nullopt;
  return hex(digest_of(std::string{std::istreambuf_iterator<char>(stream), {}}));
}

}  // namespace assay::files
