// A Nsight Compute report (.ncu-rep), block by block: "NVR\0", the file header, then blocks of a header and a payload
// with sources (the code of the kernels) and results (one profiled launch each). Every part is preceded by its size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/ncu/unreadable.hpp"

namespace assay::ncu {

inline constexpr std::string_view kRepMagic{"NVR\0", 4};

/// Whether the first bytes are those of a .ncu-rep, or of the compressed .ncu-repz.
bool is_rep(std::string_view head);

/// Session information from the block headers; payloads are not read.
struct RepSession {
  std::string device;                                           ///< "NVIDIA H100 80GB HBM3"; empty: unknown
  std::vector<std::pair<std::string, std::string>> components;  ///< "Nsight Compute Target", "2025.3.1.0 (build ..."
};
/// Reads at most `most_blocks` headers; unreadable parts stay empty.
RepSession rep_session(const std::filesystem::path& file, std::size_t most_blocks = 1000);

/// The metric names that results refer to by index, from the block header. Each costs four bytes in addition to its
/// text, since a file may consist of names alone.
class RepNames {
 public:
  /// `strings`: the part of `header` with the table of names. Takes ownership of the header.
  void add_strings(std::string& header, std::string_view strings);
  [[nodiscard]] std::size_t size() const { return begins_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t place) const;
  /// Number of the current table; it changes when the names change.
  [[nodiscard]] std::uint64_t table() const { return table_; }

  std::optional<std::uint64_t> process;  ///< id of the process that made the launches

 private:
  std::string header_;
  std::vector<std::uint32_t> begins_;  ///< begins of fields in header_, each a size and a text
  std::uint64_t table_ = 0;
};

struct RepOutcome {
  bool cut_off = false;         ///< the file ends inside a block
  std::uint64_t broken = 0;     ///< results that are not valid messages
  std::uint64_t uncounted = 0;  ///< parts of payloads that the header does not count, or declares as something else
};

/// Calls `take(message, names)` for every result, with the bytes of a ProfileResult and the names of its metrics.
/// Only one result is in memory at a time. `take` returns false if the bytes are not a ProfileResult. Throws
/// Unreadable: the file cannot be read, has another version, or contains impossible sizes. `on_source`: receives the
/// bytes of every ProfileSource, before the results of its kernels; empty: they are skipped.
RepOutcome read_rep(const std::filesystem::path& file,
                    const std::function<bool(std::string_view, const RepNames&)>& on_result,
                    const std::function<void(std::string_view)>& on_source = {});

}  // namespace assay::ncu
