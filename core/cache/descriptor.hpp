// An open file, closed at the end of its life.
#pragma once

#include <unistd.h>

namespace assay::cache {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }

  /// Closes it now; false when what was written could not be kept.
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

}  // namespace assay::cache
