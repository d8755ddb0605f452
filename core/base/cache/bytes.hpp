// Serializes values to bytes. The reader trusts nothing: it stops at the first invalid value, and no length makes it
// allocate more than the bytes that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cache {

/// Appends values, texts and arrays with their lengths, so that different sequences always give different bytes.
class ByteWriter {
 public:
  void number(std::uint64_t value);
  void integer(std::int64_t value);
  void real(double value);
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value);
  void integers(std::span<const std::int64_t> values);
  void reals(std::span<const double> values);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* from, std::size_t size);
  std::string bytes_;
};

/// Reads what ByteWriter wrote, in the same order. After the first invalid value `good` is false and every result is
/// zero or empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  std::int64_t integer();
  double real();
  bool flag() { return below(2) == 1; }
  /// Reads a number less than `end`, for enumerations.
  std::uint64_t below(std::uint64_t end);
  /// Number of elements that follow; each takes at least 8 bytes, the size of one number.
  std::size_t count();
  std::string text();
  std::vector<std::int64_t> integers();
  std::vector<double> reals();

  /// Marks the input as invalid, for checks of the caller.
  void refuse();
  [[nodiscard]] bool good() const { return good_; }
  /// Whether everything was valid and nothing is left.
  [[nodiscard]] bool complete() const { return good_ && rest_.empty(); }

 private:
  void raw(void* to, std::size_t size);
  template <class T>
  std::vector<T> array();
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace assay::cache
