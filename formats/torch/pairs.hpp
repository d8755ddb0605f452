// Combines begin and end events of a trace into complete events.
#pragma once

#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/format.hpp"
#include "formats/torch/event.hpp"

namespace assay::load {

/// Passes events on and turns pairs of begin and end on one thread into complete ones, innermost first, as specified by
/// the trace event format. An end belongs to the last open begin of its thread, in file order.
class PairedEvents final : public EventSink {
 public:
  explicit PairedEvents(EventSink& sink) : sink_(sink) {}

  void on_event(const Event& event) override;
  [[nodiscard]] bool wants_args(Category category) const override { return sink_.wants_args(category); }
  [[nodiscard]] bool wants_inputs() const override { return sink_.wants_inputs(); }
  [[nodiscard]] bool wants_sequences() const override { return sink_.wants_sequences(); }
  [[nodiscard]] bool wants_messages() const override { return sink_.wants_messages(); }

  /// At most one issue for ends without begin, begins without end, and pairs that end before they begin.
  void add_issues(TableSink& out) const;

 private:
  /// A copy of a begin event, since the text has moved on.
  struct Open {
    Category category;
    std::string name, time;
    Args args;
    std::list<std::string> texts = {};  ///< that args point to
  };

  void open_event(const Event& event);
  void end(const Event& event);

  EventSink& sink_;
  std::map<std::pair<std::string, std::string>, std::vector<Open>> open_;  ///< by process and thread
  std::int64_t unpaired_ = 0;
};

}  // namespace assay::load
