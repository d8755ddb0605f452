// Serializes values of the stages for keys: bytes are equal exactly for equal values.
#pragma once

#include <filesystem>
#include <string_view>
#include <type_traits>
#include <variant>

#include "analyze/result_cache.hpp"
#include "cache/bytes.hpp"
#include "each_member.hpp"
#include "plan/plan.hpp"

namespace assay {

template <class T>
concept Text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept List = requires(const T& values) {
  values.begin();
  values.size();
};
template <class T>
concept Either = requires { std::variant_size<T>::value; };

/// Serializes any value of the stages' results. Equal bytes mean equal values.
template <class T>
void write_key(cache::ByteWriter& to, const T& value) {
  if constexpr (Text<T>) {
    to.text(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    to.text(value.native());
  } else if constexpr (std::is_same_v<T, Str>) {
    to.text(value.view());
  } else if constexpr (std::is_same_v<T, FileKind>) {
    to.text(value.word);
  } else if constexpr (std::is_floating_point_v<T>) {
    to.real(value);
  } else if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>) {
    to.number(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    to.integer(value);
  } else if constexpr (requires { value.has_value(); }) {
    to.flag(value.has_value());
    if (value) write_key(to, *value);
  } else if constexpr (Either<T>) {
    to.number(value.index());
    std::visit([&](const auto& one) { write_key(to, one); }, value);
  } else if constexpr (List<T>) {
    to.number(value.size());
    for (const auto& one : value) write_key(to, one);
  } else if constexpr (requires { value.first; }) {
    write_key(to, value.first);
    write_key(to, value.second);
  } else {
    each_member(value, [&](const auto& member) { write_key(to, member); });
  }
}

template <class... T>
void write_keys(cache::ByteWriter& to, const T&... values) {
  (write_key(to, values), ...);
}

// For structures with more members than each_member supports, and those with members that only describe how the run
// went, all members are bound, so that a new one does not compile until it is handled.

inline void write_question(cache::ByteWriter& to, const Question& question) {
  const auto& [file, id, title, study, text, note, sources, answered_by, answered_by_pos, level, across, reports,
               noise_reports, window, iterations, labels, matrix, sheets, joins, runner, plugins, analyzers, claims] =
      question;
  write_keys(to, file, id, title, study, text, note, sources, answered_by, answered_by_pos, level, across, reports,
             noise_reports, window, iterations.nvtx, labels, matrix, sheets, joins, runner, plugins, analyzers, claims);
}

inline void write_planned(cache::ByteWriter& to, const PlannedQuestion& planned) {
  const auto& [question, analyzers, claims, judge, fingerprints] = planned;
  write_question(to, *question);
  to.number(analyzers.size());
  for (const auto& [plugin, options, consumes, as_analyzed] : analyzers) {
    to.text(plugin->id());
    to.text(to_bytes(options));
    write_keys(to, consumes, as_analyzed);
  }
  to.number(claims.size());
  for (const PlannedClaim& claim : claims) to.text(to_bytes(claim.keys));
  to.text(judge == nullptr ? "" : judge->id());
  to.flag(fingerprints);
}

}  // namespace assay
