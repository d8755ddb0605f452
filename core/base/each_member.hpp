// Visits the members of an aggregate without a list of their names.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace assay {
namespace detail {

/// Converts to a member of any type, to find out how many members an aggregate has.
struct AnyMember {
  template <class T>
  operator T&() const&&;  // NOLINT: implicit by design
  template <class T>
  operator T&&() const&&;  // NOLINT: implicit by design
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyMember{})...}; };
}

inline constexpr std::size_t kMaxMembers = 12;

template <class T, std::size_t N = kMaxMembers>
constexpr std::size_t members() {
  if constexpr (N == 0 || takes<T>(std::make_index_sequence<N>{}))
    return N;
  else
    return members<T, N - 1>();
}

}  // namespace detail

/// Calls `use(member)` for each member of `value`, in order. At most detail::kMaxMembers members.
template <class T, class Use>
constexpr void each_member(T& value, const Use& use) {
  constexpr std::size_t kMembers = detail::members<std::remove_const_t<T>>();
  static_assert(kMembers > 0 && !detail::takes<std::remove_const_t<T>>(std::make_index_sequence<kMembers + 1>{}));
  const auto all = [&](auto&... members) { (use(members), ...); };
#define ASSAY_MEMBERS(count, ...)      \
  if constexpr (kMembers == (count)) { \
    auto& [__VA_ARGS__] = value;       \
    all(__VA_ARGS__);                  \
  }
  ASSAY_MEMBERS(1, a)
  ASSAY_MEMBERS(2, a, b)
  ASSAY_MEMBERS(3, a, b, c)
  ASSAY_MEMBERS(4, a, b, c, d)
  ASSAY_MEMBERS(5, a, b, c, d, e)
  ASSAY_MEMBERS(6, a, b, c, d, e, f)
  ASSAY_MEMBERS(7, a, b, c, d, e, f, g)
  ASSAY_MEMBERS(8, a, b, c, d, e, f, g, h)
  ASSAY_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  ASSAY_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  ASSAY_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  ASSAY_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
#undef ASSAY_MEMBERS
}

}  // namespace assay
