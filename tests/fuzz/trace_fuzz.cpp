// Traces of the PyTorch profiler made of any bytes, plain or gzip: whatever comes in is read or refused in a sentence,
// and windows of any size give the same events.
#include <cstdio>
#include <cstdlib>
#include <set>

#include "dropped_rows.hpp"
#include "formats/torch/parse.hpp"
#include "input_file.hpp"
#include "load/columns.hpp"
#include "load/every_column.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"

namespace assay::fuzz_of_trace {

/// What passed through a parser, boiled down.
class Digest final : public load::EventSink {
 public:
  void on_event(const load::Event& event) override {
    mix(event.name);
    mix(event.time);
    mix(event.duration);
    sum_ = sum_ * 31 + static_cast<std::uint64_t>(event.args.correlation);
  }
  [[nodiscard]] bool wants_args(load::Category /*category*/) const override { return true; }
  [[nodiscard]] bool wants_inputs() const override { return true; }
  [[nodiscard]] bool wants_sequences() const override { return true; }
  [[nodiscard]] bool wants_messages() const override { return true; }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  void mix(std::string_view text) {
    for (const char c : text) sum_ = sum_ * 31 + static_cast<unsigned char>(c);
  }
  std::uint64_t sum_ = 0;
};

struct ParseSummary {
  std::size_t events = 0;
  std::uint64_t sum = 0;
  bool refused = true;
  bool has_issues = false;
};

ParseSummary parse(const std::filesystem::path& file, std::size_t window) {
  auto text = load::TraceText::open(file, 1 + window % 2, window);
  if (!text) return {};
  Digest digest;
  const auto outcome = load::parse_trace(*text, digest, [](std::string_view, std::string_view) {});
  return {outcome.events, digest.sum(), !outcome.refusal.empty(), !outcome.issues.empty()};
}

void compare_windows(const std::filesystem::path& file, std::size_t size) {
  const ParseSummary whole = parse(file, load::TraceText::kWindow), small = parse(file, 1 + size % 997);
  if (whole.has_issues || small.has_issues) return;  // where damage begins depends on what lies together
  if (whole.events == small.events && whole.sum == small.sum && whole.refused == small.refused) return;
  std::fprintf(stderr, "%zu events in one window, %zu in small ones\n", whole.events, small.events);
  std::abort();
}

extern "C" int trace_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& file = fuzz::write_input({data, size});
  compare_windows(file, size);
  static const std::set<ColumnId> columns = every_column();
  if (const auto profile = load_profile({file, kind::kTorch}, "fuzzed", columns); profile) {
    if (!profile->view({}, {})) std::abort();
    const auto dropped = fuzz::with_dropped_rows(file, kind::kTorch, size);
    if (dropped && !dropped->view({}, {})) std::abort();
  } else if (profile.error().sentence.empty()) {
    std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_trace
