#include "formats/torch/slices_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace assay::load {

namespace {

/// More do not keep up with whoever takes the events.
constexpr unsigned kMaxThreads = 8;

}  // namespace

SlicesAhead::SlicesAhead(const EventSink& sink, unsigned threads)
    : sink_(sink), most_(2 * std::size_t{std::min(threads, kMaxThreads)}) {
  for (std::size_t t = 0; t < most_ / 2; ++t)
    threads_.emplace_back([this](const std::stop_token& stop) { read_slices(stop); });
}

SlicesAhead::~SlicesAhead() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void SlicesAhead::add(const char* begin, const char* end) {
  std::shared_ptr<Slice> slice;
  if (!spare_.empty() && spare_.back().use_count() == 1) {
    slice = std::move(spare_.back());
    slice->events.clear();
    slice->counts = {};
    slice->begun = slice->done = slice->whole = false;
  } else {
    slice = std::make_shared<Slice>();
  }
  if (!spare_.empty()) spare_.pop_back();
  const auto size = static_cast<std::size_t>(end - begin);
  slice->text.resize(size + kAround);
  slice->text.front() = '[';
  std::memcpy(slice->text.data() + 1, begin, size);
  std::memset(slice->text.data() + 1 + size, ' ', 1 + TraceText::kPadding);
  slice->text[1 + size] = ']';
  const std::scoped_lock lock(mutex_);
  slices_.push_back(std::move(slice));
  changed_.notify_all();
}

const SlicesAhead::Slice& SlicesAhead::front() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return slices_.front()->done; });
  return *slices_.front();
}

void SlicesAhead::pop() {
  const std::scoped_lock lock(mutex_);
  spare_.push_back(std::move(slices_.front()));
  slices_.pop_front();
}

void SlicesAhead::clear() {
  const std::scoped_lock lock(mutex_);
  slices_.clear();
}

void SlicesAhead::read_slices(const std::stop_token& stop) {
  EventArray array;
  std::unique_lock lock(mutex_);
  const auto next = [this] {
    return std::ranges::find(slices_, false, [](const auto& slice) { return slice->begun; });
  };
  while (changed_.wait(lock, stop, [&] { return next() != slices_.end(); })) {
    const std::shared_ptr<Slice> slice = *next();
    slice->begun = true;
    lock.unlock();
    read(array, *slice);
    lock.lock();
    slice->done = true;
    changed_.notify_all();
  }
}

void SlicesAhead::read(EventArray& array, Slice& slice) const {
  char* const begin = slice.text.data();
  char* const end = begin + slice.text.size() - TraceText::kPadding;
  try {
    const auto keep = [&](const Event& event) { slice.events.push_back(event); };
    slice.whole = array.read(begin, end, sink_, slice.counts, keep) == simdjson::SUCCESS && array.closing() == end - 1;
  } catch (const std::bad_alloc&) {
    slice.whole = false;  // whoever takes it reads it again
  }
}

}  // namespace assay::load
