// Begin and end events of a trace, put together to what they mean.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/torch/event.hpp"
#include "load/issue.hpp"

namespace assay::load {

/// Hands events on; of pairs of begin and end on one thread it makes complete ones, innermost first, as the trace
/// event format has it. An end belongs to the last begin of its thread that is still open, in the order of the file.
class PairedEvents final : public EventSink {
 public:
  explicit PairedEvents(EventSink& sink) : sink_(sink) {}

  void on_event(const Event& event) override;
  [[nodiscard]] bool wants_args(Category category) const override { return sink_.wants_args(category); }
  [[nodiscard]] bool wants_inputs() const override { return sink_.wants_inputs(); }
  [[nodiscard]] bool wants_sequences() const override { return sink_.wants_sequences(); }
  [[nodiscard]] bool wants_messages() const override { return sink_.wants_messages(); }

  /// Ends without a begin, begins without an end, and pairs that end before they begin: one issue, or none.
  void add_issues(std::vector<Issue>& issues) const;

 private:
  /// A begin as it stood in the text, which has moved on since.
  struct Open {
    Category category;
    std::string name, time;
    Args args;
  };

  void open_event(const Event& event);
  void end(const Event& event);

  EventSink& sink_;
  std::map<std::pair<std::string, std::string>, std::vector<Open>> open_;  ///< by process and thread
  std::int64_t unpaired_ = 0;
};

}  // namespace assay::load
