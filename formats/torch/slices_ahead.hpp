// Slices of a trace's events that other threads read while those before them are taken.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "formats/torch/event_array.hpp"
#include "formats/torch/text.hpp"

namespace assay::load {

/// Copies of slices in the order of the file, of which a few are held at a time.
class SlicesAhead {
  static constexpr std::size_t kAround = 2 + TraceText::kPadding;

 public:
  struct Slice {
    std::vector<char> text;  ///< in brackets, with padding
    std::vector<Event> events;
    EventCounts counts;
    bool begun = false, done = false;
    bool whole = false;  ///< all of it was read, to its end
    [[nodiscard]] std::size_t size() const { return text.size() - kAround; }
  };

  /// Asks `sink` what it wants, from any thread. Throws std::system_error where the system has no threads for it.
  SlicesAhead(const EventSink& sink, unsigned threads);
  ~SlicesAhead();
  SlicesAhead(const SlicesAhead&) = delete;
  SlicesAhead& operator=(const SlicesAhead&) = delete;

  [[nodiscard]] bool empty() const { return slices_.empty(); }
  [[nodiscard]] bool full() const { return slices_.size() >= most_; }
  /// The events in [begin, end), the last of the slices.
  void add(const char* begin, const char* end);
  /// The first of the slices, once it was read.
  const Slice& front();
  void pop();
  /// What was not taken is forgotten.
  void clear();

 private:
  void read_slices(const std::stop_token& stop);
  void read(EventArray& array, Slice& slice) const;

  const EventSink& sink_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Slice>> slices_;  ///< a thread holds on to the one that it reads
  std::vector<std::shared_ptr<Slice>> spare_;  ///< their memory is used again
  std::vector<std::jthread> threads_;
};

}  // namespace assay::load
