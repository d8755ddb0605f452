// Serializes structures by one walk over their members (each_member.hpp), so a member that is added later is stored
// too.
//
// A structure that stores only some of its members has its own `visit` and sets `kByHand`. `bool holds(const
// Structure&)` checks a value after it was read, `last_of(Enum)` returns the last value of an enumeration; both are in
// the namespace of the type.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cache/bytes.hpp"
#include "each_member.hpp"
#include "files/utf8.hpp"

namespace assay::cache {

/// A T that is read into, or a const T that is written.
template <class Given, class T>
concept EitherWay = std::same_as<std::remove_const_t<Given>, T>;

struct WriteVisitor {
  ByteWriter& bytes;
  void number(const std::uint64_t& value) { bytes.number(value); }
  template <std::signed_integral Integer>
  void integer(const Integer& value) {
    bytes.integer(value);
  }
  void real(const double& value) { bytes.real(value); }
  void flag(const bool& value) { bytes.flag(value); }
  void text(const std::string& value) { bytes.text(value); }
  template <class Enum>
  void enumerator(const Enum& value, Enum) {
    bytes.number(static_cast<std::uint64_t>(value));
  }
  void integers(const std::vector<std::int64_t>& values) { bytes.integers(values); }
  void reals(const std::vector<double>& values) { bytes.reals(values); }
  void require(bool) {}
};

/// Rejects texts that are not UTF-8, numbers out of range of their type, and values that the enumeration does not have.
struct ReadVisitor {
  ByteReader& bytes;
  void number(std::uint64_t& value) { value = bytes.number(); }
  template <std::signed_integral Integer>
  void integer(Integer& value) {
    const std::int64_t given = bytes.integer();
    require(std::in_range<Integer>(given));
    value = static_cast<Integer>(given);
  }
  void real(double& value) { value = bytes.real(); }
  void flag(bool& value) { value = bytes.flag(); }
  void text(std::string& value) {
    value = bytes.text();
    require(is_utf8(value));
  }
  template <class Enum>
  void enumerator(Enum& value, Enum last) {
    value = static_cast<Enum>(bytes.below(static_cast<std::uint64_t>(last) + 1));
  }
  void integers(std::vector<std::int64_t>& values) { values = bytes.integers(); }
  void reals(std::vector<double>& values) { values = bytes.reals(); }
  /// Checks what was read; a value that fails is not used.
  void require(bool holds) {
    if (!holds) bytes.refuse();
  }
};

template <class To>
void visit(To& to, EitherWay<std::string> auto& value) {
  to.text(value);
}
template <class To>
void visit(To& to, EitherWay<std::uint64_t> auto& value) {
  to.number(value);
}
template <class To>
void visit(To& to, EitherWay<std::int32_t> auto& value) {
  to.integer(value);
}
template <class To>
void visit(To& to, EitherWay<std::int64_t> auto& value) {
  to.integer(value);
}
template <class To>
void visit(To& to, EitherWay<std::uint32_t> auto& value) {
  std::uint64_t wide = value;
  to.number(wide);
  to.require(std::in_range<std::uint32_t>(wide));
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value)>>) value = static_cast<std::uint32_t>(wide);
}
template <class To>
void visit(To& to, EitherWay<double> auto& value) {
  to.real(value);
}
template <class To>
void visit(To& to, EitherWay<bool> auto& value) {
  to.flag(value);
}
template <class To, class Enum>
  requires std::is_enum_v<Enum>
void visit(To& to, Enum& value) {
  to.enumerator(value, last_of(value));
}

inline void visit(WriteVisitor& to, const std::vector<std::int64_t>& values) { to.integers(values); }
inline void visit(ReadVisitor& to, std::vector<std::int64_t>& values) { to.integers(values); }
inline void visit(WriteVisitor& to, const std::vector<double>& values) { to.reals(values); }
inline void visit(ReadVisitor& to, std::vector<double>& values) { to.reals(values); }

/// Whether a structure has its own `visit`.
template <class T>
inline constexpr bool kByHand = false;

template <class To, class T>
  requires(std::is_aggregate_v<T> && !kByHand<std::remove_const_t<T>>)
void visit(To& to, T& value) {
  each_member(value, [&](auto& member) { visit(to, member); });
  if constexpr (requires { holds(value); }) to.require(holds(value));
}

template <class To, class A, class B>
void visit(To& to, std::pair<A, B>& value);
template <class A, class B>
void visit(WriteVisitor& to, const std::pair<A, B>& value);

template <class T>
void visit(WriteVisitor& to, const std::vector<T>& values) {
  to.bytes.number(values.size());
  for (const T& value : values) visit(to, value);
}
template <class T>
void visit(WriteVisitor& to, std::vector<T>& values) {
  visit(to, std::as_const(values));
}
template <class T>
void visit(ReadVisitor& to, std::vector<T>& values) {
  values.clear();
  const std::size_t count = to.bytes.count();
  for (std::size_t i = 0; i < count && to.bytes.good(); ++i) visit(to, values.emplace_back());
}

template <class To, class A, class B>
void visit(To& to, std::pair<A, B>& value) {
  visit(to, value.first);
  visit(to, value.second);
}
template <class A, class B>
void visit(WriteVisitor& to, const std::pair<A, B>& value) {
  visit(to, value.first);
  visit(to, value.second);
}

template <class T>
void visit(WriteVisitor& to, const std::optional<T>& value) {
  to.flag(value.has_value());
  if (value) visit(to, *value);
}
template <class T>
void visit(WriteVisitor& to, std::optional<T>& value) {
  visit(to, std::as_const(value));
}
template <class T>
void visit(ReadVisitor& to, std::optional<T>& value) {
  bool there = false;
  to.flag(there);
  value.reset();
  if (there) visit(to, value.emplace());
}

template <class K, class V>
void visit(WriteVisitor& to, const std::map<K, V>& values) {
  to.bytes.number(values.size());
  for (const auto& [key, value] : values) {
    visit(to, key);
    visit(to, value);
  }
}
template <class K, class V>
void visit(ReadVisitor& to, std::map<K, V>& values) {
  values.clear();
  const std::size_t count = to.bytes.count();
  for (std::size_t i = 0; i < count && to.bytes.good(); ++i) {
    K key{};
    visit(to, key);
    visit(to, values[key]);
  }
}

/// Serializes a value that has a `visit`.
template <class T>
std::string written(const T& value) {
  ByteWriter bytes;
  WriteVisitor to{bytes};
  visit(to, value);
  return bytes.bytes();
}

/// Reads a value that takes up all of the bytes; empty if it does not.
template <class T>
std::optional<T> read_back(std::string_view bytes) {
  ByteReader reader(bytes);
  ReadVisitor from{reader};
  T value;
  visit(from, value);
  if (!reader.complete()) return std::nullopt;
  return value;
}

}  // namespace assay::cache
