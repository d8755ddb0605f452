// Traces of the PyTorch profiler to columns, beside what the machine needs to inflate and to copy the same text.
//
// trace_bench [BENCHMARK OPTIONS] [MEGABYTES | FILE]...: traces are generated of the sizes given, and real ones (gzip)
// read; without either one trace of 100 MB is generated.
#include <benchmark/benchmark.h>
#include <libdeflate.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "done.hpp"
#include "load/columns.hpp"
#include "load/load.hpp"

namespace {

using namespace assay;
namespace fs = std::filesystem;

/// What run_summary wants.
const std::set<ColumnId> kSummary = {col::kernels, col::kernel_name, col::kernel_grid,    col::kernel_block,
                                     col::copies,  col::copy_bytes,  col::copy_direction, col::sets,
                                     col::calls,   col::iterations};

std::set<ColumnId> every_column() {
  std::set<ColumnId> columns;
  for (const ColumnInfo& info : column_infos()) columns.insert(info.id);
  return columns;
}

/// Writes a trace as kineto lays it out: steps of operators that each launch a kernel, with flows and memory events.
class Generator {
 public:
  std::string make(std::size_t bytes) {
    text_ = R"({
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "computeMajor": 9, "computeMinor": 0,
     "maxThreadsPerMultiprocessor": 2048, "numSms": 132}
  ],
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1790857026000000000,
  "traceEvents": [)";
    while (text_.size() < bytes) step();
    text_ += "\n  ],\n  \"traceName\": \"generated\"\n}";
    return std::move(text_);
  }

 private:
  /// Microseconds with three places.
  static std::string us(std::int64_t ns) {
    std::string places = std::to_string(ns % 1000);
    places.insert(0, 3 - places.size(), '0');
    return std::to_string(ns / 1000) + "." + places;
  }
  void event(const char* category, const std::string& name, const std::string& where, std::int64_t start,
             std::int64_t duration, const std::string& args) {
    if (text_.back() != '[') text_ += ',';
    text_ += std::string("\n  {\n    \"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" + name + "\", " +
             where + ",\n    \"ts\": " + us(start) + ", \"dur\": " + us(duration) + ",\n    \"args\": {\n      " +
             args + "\n    }\n  }";
  }
  void flow(const char* phase, const std::string& where) {
    text_ += std::string(",\n  {\n    \"ph\": \"") + phase + "\", \"id\": " + std::to_string(correlation_) + ", " +
             where + ", \"ts\": " + us(now_) + ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  }";
  }
  void step() {
    constexpr std::int64_t kOperators = 500, kOperator = 20'000;
    event("user_annotation", "ProfilerStep#" + std::to_string(step_++), kHost, now_, kOperators * kOperator,
          "\"External id\": " + std::to_string(++external_));
    for (std::int64_t i = 0; i < kOperators; ++i, now_ += kOperator) op();
  }
  void op() {
    const std::string id = std::to_string(++external_), link = std::to_string(++correlation_);
    const std::string which = std::to_string(random_() % 40);
    event(
        "cpu_op", "aten::operator_" + which, kHost, now_ + 100, 15'000,
        "\"External id\": " + id +
            ",\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"0\", \"\"], \"Input type\": [\"float\", "
            "\"Scalar\","
            " \"\"], \"Input Strides\": [[150528, 50176, 224, 1], [], []], \"Input Dims\": [[4, 3, 224, 224], [], []],"
            " \"Ev Idx\": " +
            id);
    event("cuda_runtime", "cudaLaunchKernel", kHost, now_ + 5'000, 4'000 + static_cast<std::int64_t>(random_() % 999),
          "\"External id\": " + id + ", \"cbid\": 211, \"correlation\": " + link);
    flow("s", kHost);
    event("kernel",
          "void at::native::vectorized_elementwise_kernel<4, at::native::functor_" + which +
              "<float>, std::array<char*, 2ul> >(int, at::native::functor_" + which +
              "<float>, std::array<char*, 2ul>)",
          kDevice, now_ + 12'000, 2'000 + static_cast<std::int64_t>(random_() % 9999),
          "\"External id\": " + id +
              ", \"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": 7, \"correlation\": " + link +
              ",\n      \"registers per thread\": 78,\n      \"shared memory\": 7040,\n      \"blocks per SM\": "
              "1.272727,\n"
              "      \"warps per SM\": 2.545455,\n      \"grid\": [24, 7, 1],\n      \"block\": [64, 1, 1],\n"
              "      \"est. achieved occupancy %\": 4");
    flow("f", kDevice);
  }

  static constexpr const char* kHost = "\"pid\": 1053, \"tid\": 1053";
  static constexpr const char* kDevice = "\"pid\": 0, \"tid\": 7";
  std::string text_;
  std::mt19937_64 random_;
  std::int64_t now_ = 4'366'440'528'727'523, step_ = 0, external_ = 0, correlation_ = 0;
};

/// A trace as a file, as gzip in memory and as text in memory.
struct Trace {
  fs::path gzip_file, plain_file;
  std::string packed, text;
};

std::string inflated(const std::string& packed) {
  std::uint32_t size = 0;
  if (packed.size() < sizeof size) return {};
  std::memcpy(&size, packed.data() + packed.size() - sizeof size, sizeof size);
  std::string text(size, '\0');
  libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
  libdeflate_gzip_decompress(inflater, packed.data(), packed.size(), text.data(), text.size(), nullptr);
  libdeflate_free_decompressor(inflater);
  return text;
}

std::string deflated(const std::string& text) {
  constexpr int kLevel = 6;
  libdeflate_compressor* deflater = libdeflate_alloc_compressor(kLevel);
  std::string packed(libdeflate_gzip_compress_bound(deflater, text.size()), '\0');
  packed.resize(libdeflate_gzip_compress(deflater, text.data(), text.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(deflater);
  return packed;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void copying(benchmark::State& state, const Trace& trace) {
  std::string to(trace.text.size(), '\0');
  for (auto _ : state) {
    std::memcpy(to.data(), trace.text.data(), to.size());
    benchmark::DoNotOptimize(to.data());
  }
  state.SetBytesProcessed(done(state, trace.text.size()));
}

void inflating(benchmark::State& state, const Trace& trace) {
  std::string to(trace.text.size(), '\0');
  libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
  for (auto _ : state) {
    libdeflate_gzip_decompress(inflater, trace.packed.data(), trace.packed.size(), to.data(), to.size(), nullptr);
    benchmark::DoNotOptimize(to.data());
  }
  libdeflate_free_decompressor(inflater);
  state.SetBytesProcessed(done(state, trace.text.size()));
}

void loading(benchmark::State& state, const Trace& trace, const fs::path& file, const std::set<ColumnId>& wanted,
             unsigned threads = 1) {
  std::size_t columns = 0;
  for (auto _ : state) {
    const Result<Profile> profile = load_profile({file, FileKind{"torch", true, true}}, "trace", wanted, threads);
    if (!profile) {
      state.SkipWithError(profile.error().sentence.c_str());
      break;
    }
    columns = profile->bytes();
  }
  state.SetBytesProcessed(done(state, trace.text.size()));
  state.counters["column_bytes"] = static_cast<double>(columns);
}

void add(const std::string& name, const Trace& trace) {
  const auto bench = [&](const char* what, auto run) {
    benchmark::RegisterBenchmark((what + ("/" + name)).c_str(), run)->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  bench("memcpy", [&trace](benchmark::State& state) { copying(state, trace); });
  bench("inflate", [&trace](benchmark::State& state) { inflating(state, trace); });
  bench("load_gzip_summary", [&trace](benchmark::State& state) { loading(state, trace, trace.gzip_file, kSummary); });
  bench("load_gzip_everything",
        [&trace](benchmark::State& state) { loading(state, trace, trace.gzip_file, every_column()); });
  bench("load_gzip_on_two_cores",
        [&trace](benchmark::State& state) { loading(state, trace, trace.gzip_file, every_column(), 2); });
  if (trace.plain_file.empty()) return;
  bench("load_plain_everything",
        [&trace](benchmark::State& state) { loading(state, trace, trace.plain_file, every_column()); });
}

Trace generated(const fs::path& folder, std::size_t megabytes) {
  const std::string name = "generated_" + std::to_string(megabytes);
  Trace trace{folder / (name + ".json.gz"), folder / (name + ".json"), {}, Generator().make(megabytes * 1'000'000)};
  trace.packed = deflated(trace.text);
  std::ofstream(trace.gzip_file, std::ios::binary) << trace.packed;
  std::ofstream(trace.plain_file, std::ios::binary) << trace.text;
  return trace;
}

/// The number, if the whole argument is one.
std::size_t megabytes_of(const std::string& argument) {
  std::size_t megabytes = 0;
  const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), megabytes);
  return error == std::errc() && end == argument.data() + argument.size() ? megabytes : 0;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> wanted(argv + 1, argv + argc);
  if (wanted.empty()) wanted.emplace_back("100");
  std::string folder = (fs::temp_directory_path() / "assay_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  std::deque<Trace> traces;  // the benchmarks refer to them
  for (const std::string& argument : wanted) {
    if (const std::size_t megabytes = megabytes_of(argument); megabytes > 0) {
      traces.push_back(generated(folder, megabytes));
      add("generated_" + argument, traces.back());
      continue;
    }
    std::string packed = bytes_of(argument), text = inflated(packed);
    traces.push_back({argument, {}, std::move(packed), std::move(text)});
    add(fs::path(argument).stem().stem().string(), traces.back());
  }
  benchmark::RunSpecifiedBenchmarks();
  fs::remove_all(folder);
  return 0;
}
