// Common to the sinks: copies what a plugin passes, and rejects invalid values with a sentence.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/abi.hpp"
#include "files/utf8.hpp"

namespace assay {

/// Sizes of the views in ABI version 2.0; no plugin has smaller ones.
inline constexpr std::uint64_t kFirstTableView = 64;
inline constexpr std::uint64_t kFirstColumnView = 88;
inline constexpr std::uint64_t kFirstFindingView = 192;
inline constexpr std::uint64_t kFirstVerdictView = 56;
inline constexpr std::uint64_t kFirstStratumView = 168;
static_assert(sizeof(TableView) >= kFirstTableView && sizeof(ColumnView) >= kFirstColumnView);

/// Text of a plugin as UTF-8; empty for a null pointer.
inline std::string text_of(Str text) { return text.data == nullptr ? std::string() : to_utf8(text.view()); }

template <class T>
bool readable(Span<T> span) {
  return span.size == 0 || span.data != nullptr;
}

/// Copies the part of a view that both sides know; empty if it is smaller than in any version.
template <class View>
std::optional<View> read_view(const View* from, std::uint64_t first_size) {
  if (from == nullptr) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, from, sizeof(size));
  if (size < first_size) return std::nullopt;
  View view;
  std::memcpy(&view, from, static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof(View))));
  return view;
}

/// One element of an array with a stride of `size` bytes: the plugin's struct may be larger or smaller than ours.
template <class View>
View element(Span<View> span, std::uint64_t size, std::uint64_t i) {
  View out;
  std::memcpy(&out, reinterpret_cast<const char*>(span.data) + i * size, std::min<std::size_t>(size, sizeof(View)));
  return out;
}

/// Stores the first rejection: an author who swallows the exception has failed nevertheless.
class Refusal {
 public:
  Emit refuse(Emit answer, std::string sentence) {
    if (answer_ == Emit::kOk) {
      answer_ = answer;
      sentence_ = std::move(sentence);
    }
    return answer;
  }
  /// For a sink call that ran out of memory; does not allocate.
  Emit refuse_for_memory() noexcept {
    if (answer_ == Emit::kOk) answer_ = Emit::kMalformed;
    return Emit::kMalformed;
  }
  [[nodiscard]] bool any() const { return answer_ != Emit::kOk; }
  [[nodiscard]] std::string sentence() const { return sentence_.empty() ? "the host ran out of memory" : sentence_; }

 private:
  Emit answer_ = Emit::kOk;
  std::string sentence_;
};

/// Runs the body of a sink call: an exception of the host must not reach the plugin.
template <class Body>
Emit contained(Refusal& refusal, Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return refusal.refuse_for_memory();
  }
}

/// Receives the message of a failed call.
class ErrorText final : public ErrorSink {
 public:
  void fail(Str sentence) noexcept override;
  [[nodiscard]] std::string sentence() const { return text_.empty() ? "it gave no reason" : text_; }

 private:
  std::string text_;
};

/// Why a call failed; empty if it did not. `came_through` is the result of the call; a rejection counts even if it is
/// true.
std::optional<std::string> failure(bool came_through, const ErrorText& errors, const Refusal& refusal);

/// Checks a fact against what `declared` produces and copies it. `kOk` and the fact, or the reply after rejecting it.
struct FactAnswer {
  Emit answer = Emit::kOk;
  Fact fact;
};
FactAnswer accept_fact(const Descriptor& declared, Refusal& refusal, Str metric, Span<Dim> dims, double value,
                       Span<double> samples);

/// "gpu.busy_ratio [direction=h2d]", for messages.
std::string fact_name(const Fact& fact);

/// Copies a table except its analyzer; returns what is wrong with it, empty if nothing is.
std::string copy_table(const TableView* table, OwnedTable& to);

/// Copies the columns of a table into the host's layout; returns what is wrong with them, empty if nothing is.
std::string read_columns(const TableView& from, std::vector<ColumnView>& to);

/// Appends the rows of `more` to a table; false if the columns differ.
bool append_rows(OwnedTable& to, OwnedTable more);

/// Checks and copies a table; `ids` has the ids of earlier tables and receives the new one.
Emit accept_table(const TableView* table, const Descriptor& by, Refusal& refusal, std::set<std::string>& ids,
                  std::vector<OwnedTable>& tables);

/// Sorts facts by (metric, dims).
void sort_facts(std::vector<Fact>& facts);

}  // namespace assay
