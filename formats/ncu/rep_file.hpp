// A report of Nsight Compute (.ncu-rep) block by block: "NVR\0", the file's header, then blocks of a header and a
// payload of sources (the kernels' code, skipped) and results (a profiled launch each). Every size stands before what
// it is of.
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

#include "result.hpp"

namespace assay::load {

inline constexpr std::string_view kRepMagic{"NVR\0", 4};

/// Whether these are the first bytes of a .ncu-rep, or of the compressed .ncu-repz by its name.
bool is_rep(std::string_view head);

/// What the blocks say of the session, from their headers alone: payloads are not read.
struct RepSession {
  std::string device;                                           ///< "NVIDIA H100 80GB HBM3"; empty: not said
  std::vector<std::pair<std::string, std::string>> components;  ///< "Nsight Compute Target", "2025.3.1.0 (build ..."
};
/// Reads at most `most_blocks` headers; what cannot be read is not there.
RepSession rep_session(const std::filesystem::path& file, std::size_t most_blocks = 1000);

/// The names to which the metrics of results refer by their place, as the block header has them: four bytes a name
/// beside its text, for a file may hold nothing but names.
class RepNames {
 public:
  /// `strings`: the part of `header` that is the table of names. Takes the header's bytes.
  void add_strings(std::string& header, std::string_view strings);
  [[nodiscard]] std::size_t size() const { return begins_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t place) const;
  /// Counts the tables of the file: another number, other names.
  [[nodiscard]] std::uint64_t table() const { return table_; }

  std::optional<std::uint64_t> process;  ///< that made the launches, by its id

 private:
  std::string header_;
  std::vector<std::uint32_t> begins_;  ///< of fields in header_, each a size and a text
  std::uint64_t table_ = 0;
};

struct RepOutcome {
  bool cut_off = false;         ///< the file ends inside a block
  std::uint64_t broken = 0;     ///< results whose bytes are no message
  std::uint64_t uncounted = 0;  ///< parts of payloads that no header counts, or that it takes for something else
};

/// Calls `on_result(message, names)` for every result: the bytes of a ProfileResult, and the names of its metrics. One
/// result is in memory at a time. `take` returns false where the bytes are no such message. Error, in one sentence that
/// begins with the file: it cannot be read, is of another version, or holds sizes that cannot be.
Result<RepOutcome> read_rep(const std::filesystem::path& file,
                            const std::function<bool(std::string_view, const RepNames&)>& on_result);

}  // namespace assay::load
