// Reports of Nsight Compute as bytes: what the tests need of Protocol Buffers to write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A message under construction.
class MadeMessage {
 public:
  MadeMessage& number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3U | 0U);
    varint(value);
    return *this;
  }
  MadeMessage& fixed(std::uint32_t field, double value) {
    varint(field << 3U | 1U);
    append(&value, sizeof(value));
    return *this;
  }
  MadeMessage& fixed(std::uint32_t field, float value) {
    varint(field << 3U | 5U);
    append(&value, sizeof(value));
    return *this;
  }
  MadeMessage& bytes(std::uint32_t field, std::string_view value) {
    varint(field << 3U | 2U);
    varint(value.size());
    text_ += value;
    return *this;
  }
  MadeMessage& message(std::uint32_t field, const MadeMessage& inner) { return bytes(field, inner.text_); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  void append(const void* from, std::size_t size) { text_.append(static_cast<const char*>(from), size); }

  std::string text_;
};

inline std::string with_size(std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string out(4, '\0');
  std::memcpy(out.data(), &size, sizeof(size));
  return out.append(bytes);
}

/// A metric by the place of its name.
inline MadeMessage made_metric(std::uint64_t name, const MadeMessage& value) {
  return MadeMessage().number(1, name).message(2, value);
}

/// A result of the kernel `name` with 4 x 2 blocks of 128 threads in stream 7 of thread 43.
inline MadeMessage made_result(std::string_view name, const std::vector<MadeMessage>& metrics) {
  MadeMessage result;
  result.number(1, 43).bytes(5, "_Zmangled").bytes(6, name);
  result.message(10, MadeMessage().number(1, 4).number(2, 2).number(3, 1));
  result.message(11, MadeMessage().number(1, 128).number(2, 1).number(3, 1));
  for (const MadeMessage& metric : metrics) result.message(13, metric);
  return result.number(22, 1).number(23, 7);
}

/// A block of process 42 with sources, which are bytes of any kind, and results. No names: those of the block before
/// hold.
inline std::string made_block(const std::vector<std::string>& names, const std::vector<std::string>& sources,
                              const std::vector<MadeMessage>& results) {
  std::string payload;
  for (const std::string& source : sources) payload += with_size(source);
  for (const MadeMessage& result : results) payload += with_size(result.text());
  MadeMessage table, header;
  for (const std::string& name : names) table.bytes(1, name);
  header.number(1, sources.size()).number(2, results.size()).message(4, table).number(5, payload.size());
  header.message(6, MadeMessage().number(1, 42).bytes(3, "python"));
  return with_size(header.text()) + payload;
}

inline std::string made_rep(std::string_view blocks, std::uint64_t version = 7) {
  return std::string("NVR\0", 4) + with_size(MadeMessage().number(1, version).text()).append(blocks);
}

}  // namespace assay
