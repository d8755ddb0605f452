#include "cache/bytes.hpp"

#include <cstring>

namespace assay::cache {

void ByteWriter::raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }
void ByteWriter::number(std::uint64_t value) { raw(&value, sizeof value); }
void ByteWriter::integer(std::int64_t value) { raw(&value, sizeof value); }
void ByteWriter::real(double value) { raw(&value, sizeof value); }

void ByteWriter::text(std::string_view value) {
  number(value.size());
  bytes_.append(value);
}

void ByteWriter::integers(std::span<const std::int64_t> values) {
  number(values.size());
  raw(values.data(), values.size_bytes());
}

void ByteWriter::reals(std::span<const double> values) {
  number(values.size());
  raw(values.data(), values.size_bytes());
}

void ByteReader::refuse() {
  good_ = false;
  rest_ = {};
}

void ByteReader::raw(void* to, std::size_t size) {
  if (size > rest_.size()) return refuse();
  if (size > 0) std::memcpy(to, rest_.data(), size);
  rest_.remove_prefix(size);
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  raw(&value, sizeof value);
  return value;
}

std::int64_t ByteReader::integer() {
  std::int64_t value = 0;
  raw(&value, sizeof value);
  return value;
}

double ByteReader::real() {
  double value = 0;
  raw(&value, sizeof value);
  return value;
}

std::uint64_t ByteReader::below(std::uint64_t end) {
  const std::uint64_t value = number();
  if (value < end) return value;
  refuse();
  return 0;
}

std::size_t ByteReader::count() {
  const std::uint64_t elements = number();
  if (elements <= rest_.size() / sizeof elements) return static_cast<std::size_t>(elements);
  refuse();
  return 0;
}

std::string ByteReader::text() {
  const std::uint64_t size = number();
  if (size > rest_.size()) {
    refuse();
    return {};
  }
  std::string value(rest_.substr(0, static_cast<std::size_t>(size)));
  rest_.remove_prefix(value.size());
  return value;
}

template <class T>
std::vector<T> ByteReader::array() {
  static_assert(sizeof(T) == sizeof(std::uint64_t), "count() bounds elements of this size");
  std::vector<T> values(count());
  raw(values.data(), values.size() * sizeof(T));
  return values;
}

std::vector<std::int64_t> ByteReader::integers() { return array<std::int64_t>(); }
std::vector<double> ByteReader::reals() { return array<double>(); }

}  // namespace assay::cache
