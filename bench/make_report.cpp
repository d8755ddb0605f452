// Writes a synthetic Nsight Systems export of any size: make_report --kernels N --output FILE [--ranges N] [--shape
// NAME].
//
// Shaped like a real inference capture: one process, one launching thread, three API calls a kernel (two of them
// launches' neighbours), kernels back to back on one stream with copies on two others, nested NVTX ranges. Other shapes
// are what a careless join or group-by is quadratic in; they differ from that in one thing. Deterministic.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "export_file.hpp"

namespace {

using namespace assay::bench;

constexpr std::int64_t kProcess = 0x1000012340000;  // a globalPid as nsys writes it: the low 24 bits are the thread
constexpr std::int64_t kThread = kProcess + 0x1235;
constexpr std::int64_t kNames = 40, kFirstName = 100;
constexpr std::int64_t kStep = 7000;  // ns of the host from launch to launch
constexpr std::int64_t kNull = Inserter::kNull;
constexpr std::int64_t kPushPop = 59, kStartEnd = 60;

enum class Shape { kInference, kNested, kOverlapping, kStreams, kManyNames, kSameTime, kZeroLength, kDeepCalls };
constexpr std::pair<std::string_view, Shape> kShapes[] = {
    {"inference", Shape::kInference},
    {"nested_ranges", Shape::kNested},            // each range holds all later ones
    {"overlapping_ranges", Shape::kOverlapping},  // start/end ranges, half of them open at any time
    {"streams", Shape::kStreams},                 // one a kernel
    {"names", Shape::kManyNames},                 // one a kernel, one a range
    {"same_time", Shape::kSameTime},              // all kernels at once
    {"zero_length", Shape::kZeroLength},          // kernels that start and end together
    {"deep_calls", Shape::kDeepCalls},            // each launch holds all later ones
};

std::optional<Shape> find_shape(std::string_view name) {
  for (const auto& [known, shape] : kShapes) {
    if (known == name) return shape;
  }
  return std::nullopt;
}

class Export {
 public:
  Export(const std::string& path, Shape shape, std::int64_t kernels, std::int64_t ranges)
      : db_(path, kSchema),
        shape_(shape),
        kernels_(kernels),
        end_(kernels * kStep + 10'000'000),
        kernels_a_range_(ranges > 0 ? std::max<std::int64_t>(1, kernels / ranges) : 0),
        kernel_(db_, "CUPTI_ACTIVITY_KIND_KERNEL", 28),
        call_(db_, "CUPTI_ACTIVITY_KIND_RUNTIME", 8),
        copy_(db_, "CUPTI_ACTIVITY_KIND_MEMCPY", 9),
        range_(db_, "NVTX_EVENTS", 11) {}

  void write() {
    write_strings();
    for (std::int64_t k = 0; k < kernels_; ++k, host_ += kStep, correlation_ += 4) {
      if (kernels_a_range_ > 0 && k % kernels_a_range_ == 0) add_range(k);
      add_calls(k);
      add_kernel(k);
      if (k % 130 == 0) add_copy(k);
    }
    db_.commit();
  }

 private:
  void write_strings() {
    std::string sql;
    const auto add = [&](std::int64_t id, const std::string& text) {
      sql += "INSERT INTO StringIds VALUES(" + std::to_string(id) + ",'" + text + "');";
    };
    add(1, "cudaLaunchKernel_v7000");
    add(2, "cudaStreamIsCapturing_v10000");
    add(3, "cuKernelGetName");
    add(4, "cudaMemcpyAsync_v3020");
    add(5, "iteration");
    add(6, "layer");
    const std::int64_t names = shape_ == Shape::kManyNames ? kernels_ : kNames;
    for (std::int64_t i = 0; i < names; ++i) {
      add(kFirstName + i, "void kernel_of_some_length<float, " + std::to_string(i) + ">(float const*, float*, int)");
      if (sql.size() < 1'000'000) continue;
      db_.run(sql.c_str());
      sql.clear();
    }
    db_.run(sql.c_str());
  }

  [[nodiscard]] std::int64_t name_of(std::int64_t k) const {
    return kFirstName + (shape_ == Shape::kManyNames ? k : (k * 13) % kNames);
  }

  void add_range(std::int64_t k) {
    const bool outer = (k / kernels_a_range_) % 8 == 0;
    std::int64_t end = host_ + (outer ? 8 : 1) * kernels_a_range_ * kStep;
    if (shape_ == Shape::kNested) end = end_ - k;
    if (shape_ == Shape::kOverlapping) end = host_ + kernels_ / 2 * kStep;
    range_.add({host_, end, shape_ == Shape::kOverlapping ? kStartEnd : kPushPop, kNull, kNull, kNull, kNull, kThread,
                kNull,
                shape_ == Shape::kManyNames ? name_of(k)
                : outer                     ? 5
                                            : 6,
                0});
  }

  void add_calls(std::int64_t k) {
    const std::int64_t launched = shape_ == Shape::kDeepCalls ? end_ - k : host_ + 3000 + (k * 31) % 2000;
    call_.add({host_, host_ + 300, 0, kThread, correlation_, 2, 0, kNull});
    call_.add({host_ + 400, launched, 0, kThread, correlation_ + 1, 1, 0, kNull});
    if (k % 5 < 4) call_.add({host_ + 5500, host_ + 5700, 1, kThread, correlation_ + 2, 3, 0, kNull});
  }

  void add_kernel(std::int64_t k) {
    const std::int64_t duration = shape_ == Shape::kZeroLength ? 0 : 1500 + (k * 7919) % 9000;
    if (shape_ != Shape::kSameTime) device_ = std::max(device_ + 800, host_ + 4000);
    const std::int64_t stream = shape_ == Shape::kStreams ? k : 7;
    const std::int64_t name = name_of(k), end = device_ + duration;
    kernel_.add({device_,
                 end,
                 0,
                 1,
                 kNull,
                 stream,
                 correlation_ + 1,
                 kProcess,
                 name,
                 name,
                 kNull,
                 1,
                 1,
                 32 + k % 64,
                 1 + k % 1024,
                 1,
                 1,
                 128,
                 1,
                 1,
                 0,
                 0,
                 0,
                 250871808,
                 78324 + k,
                 32768,
                 kNull,
                 0});
    if (shape_ != Shape::kSameTime) device_ += duration;
  }

  void add_copy(std::int64_t k) {
    call_.add({host_ + 6000, host_ + 6400, 0, kThread, correlation_ + 3, 4, 0, kNull});
    copy_.add({device_, device_ + 90'000, 0, 1, 13, correlation_ + 3, kProcess, 4'816'896, 1 + k % 2});
  }

  Database db_;
  Shape shape_;
  std::int64_t kernels_, end_, kernels_a_range_;
  Inserter kernel_, call_, copy_, range_;
  std::int64_t host_ = 1'000'000, device_ = host_, correlation_ = 1'000'000;
};

int usage() {
  std::string shapes;
  for (const auto& [name, shape] : kShapes) shapes.append(" ").append(name);
  std::fprintf(stderr, "usage: make_report --kernels N --output FILE [--ranges N] [--shape NAME]\nshapes:%s\n",
               shapes.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t kernels = 0, ranges = 31'000;
  std::string output;
  std::optional<Shape> shape = Shape::kInference;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--kernels")
      kernels = std::atoll(argv[i + 1]);
    else if (option == "--ranges")
      ranges = std::atoll(argv[i + 1]);
    else if (option == "--shape")
      shape = find_shape(argv[i + 1]);
    else if (option == "--output")
      output = argv[i + 1];
    else
      return usage();
  }
  if (kernels <= 0 || output.empty() || !shape || argc % 2 == 0) return usage();
  try {
    Export(output, *shape, kernels, ranges).write();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "make_report: %s\n", e.what());
    return 1;
  }
  return 0;
}
