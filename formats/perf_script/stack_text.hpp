// The samples of a text, and the trees of their stacks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/detail/stack_tables.hpp"

namespace assay::perf_script {

struct Sample {
  std::int64_t time = 0, weight = 1;
  std::int64_t stack = kNone;
  std::uint32_t thread = 0;
};

/// A thread; -1: not stated.
struct SampledThread {
  std::int64_t process = -1, thread = -1;
  std::string command;
};

struct FrameRow {
  std::string function, file;
  std::int64_t line = kNoCell;
};

/// Reads a text piece by piece, so that only the tables are in memory.
class StackText {
 public:
  /// Throws std::runtime_error if the file cannot be opened, or has neither form.
  explicit StackText(const std::string& path);

  std::vector<Sample> samples;  ///< in the order of the text
  std::vector<SampledThread> threads;
  std::vector<FrameRow> frames;
  stack_tables::StackTree stacks;
  bool timed = false;  ///< by `perf script`; collapsed stacks have no times
  std::int64_t damaged = 0;

 private:
  void add_line(std::string_view line);
  bool add_frame(std::string_view line);
  void end_sample();
  std::uint32_t thread_of(const struct SampleLine& line);
  std::int64_t frame_of(std::string_view function, std::string_view file);
  void add_collapsed(std::string_view stack, std::int64_t count);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> known_frames_;
  static constexpr std::size_t kSeen = 1U << 14U;
  struct SeenLine {
    std::string line;
    std::int64_t frame = kNone;
  };
  std::vector<SeenLine> seen_ = std::vector<SeenLine>(kSeen);  ///< by the hash of the line
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> known_threads_;
  std::vector<std::int64_t> open_;  ///< frames of the sample that is read, innermost first
  std::string key_;
  bool in_sample_ = false, decided_ = false;
};

}  // namespace assay::perf_script
