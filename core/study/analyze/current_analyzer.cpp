#include "analyze/current_analyzer.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace assay {
namespace {

/// A text written by one thread and read by signal handlers of any thread; empty while it is written.
template <std::size_t N>
class SharedText {
 public:
  void set(std::string_view text) {
    size_.store(0, std::memory_order_release);
    const std::size_t size = std::min(text.size(), N);
    for (std::size_t i = 0; i < size; ++i) bytes_[i].store(text[i], std::memory_order_relaxed);
    size_.store(size, std::memory_order_release);
  }
  [[nodiscard]] bool empty() const { return size_.load(std::memory_order_acquire) == 0; }
  char* copy(char* to, const char* end) const {
    const std::size_t size = size_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < size && to < end; ++i) {
      const char c = bytes_[i].load(std::memory_order_relaxed);
      *to++ = static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return to;
  }

 private:
  std::array<std::atomic<char>, N> bytes_{};
  std::atomic<std::size_t> size_{0};
};

struct Slot {
  std::atomic<bool> taken{false};
  SharedText<64> id;
  SharedText<256> subject;
};

/// Threads beyond this number are not listed.
constexpr std::size_t kSlots = 256;
std::array<Slot, kSlots> slots;

/// A thread's slot in the list, from its first analyzer on.
class SlotLease {
 public:
  SlotLease() {
    for (Slot& slot : slots) {
      if (slot.taken.exchange(true)) continue;
      slot_ = &slot;
      return;
    }
  }
  ~SlotLease() {
    if (slot_ == nullptr) return;
    set({}, {});
    slot_->taken = false;
  }
  SlotLease(const SlotLease&) = delete;
  SlotLease& operator=(const SlotLease&) = delete;

  void set(std::string_view id, std::string_view subject) {
    if (slot_ == nullptr) return;
    slot_->id.set({});
    slot_->subject.set(subject);
    slot_->id.set(id);
  }

 private:
  Slot* slot_ = nullptr;
};

struct Current {
  std::string_view id, subject;
};
thread_local Current current;
thread_local SlotLease own_slot;

void enter(std::string_view id, std::string_view subject) {
  current = {id, subject};
  own_slot.set(id, subject);
}

char* append(char* to, const char* end, std::string_view text) {
  const std::size_t size = std::min(text.size(), static_cast<std::size_t>(end - to));
  return std::copy_n(text.data(), size, to);
}

}  // namespace

CurrentAnalyzer::CurrentAnalyzer(std::string_view id, std::string_view subject)
    : id_before_(current.id), subject_before_(current.subject) {
  enter(id, subject);
}
CurrentAnalyzer::~CurrentAnalyzer() { enter(id_before_, subject_before_); }
std::string_view CurrentAnalyzer::id() { return current.id; }

char* CurrentAnalyzer::describe(char* to, char* end) {
  if (current.id.empty()) return to;
  to = append(append(append(to, end, "the analyzer '"), end, current.id), end, "'");
  return current.subject.empty() ? to : append(append(to, end, " on "), end, current.subject);
}

char* CurrentAnalyzer::describe_all(char* to, char* end, std::size_t most) {
  std::size_t told = 0;
  for (const Slot& slot : slots) {
    if (slot.id.empty()) continue;
    if (told == most) return append(to, end, ", ...");
    to = append(to, end, told++ == 0 ? "the analyzer '" : ", '");
    to = append(slot.id.copy(to, end), end, "'");
    if (!slot.subject.empty()) to = slot.subject.copy(append(to, end, " on "), end);
  }
  return to;
}

}  // namespace assay
