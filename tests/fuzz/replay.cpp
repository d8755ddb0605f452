// Runs a fuzz target without a fuzzer: over every file of a corpus, and over changes of them that are the same each
// time. fuzz_replays TARGET FOLDER [CHANGES], so many changes of each file.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// fuzz_targets.inc is written by CMake: ASSAY_FUZZ_TARGET(NAME) of each.
#define ASSAY_FUZZ_TARGET(name) extern "C" int name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef ASSAY_FUZZ_TARGET

namespace {

struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};
#define ASSAY_FUZZ_TARGET(name) {#name, name},
constexpr Target kTargets[] = {
#include "fuzz_targets.inc"
};

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

char current[512];  // for the handler of signals: which input is running

extern "C" void say_which(int signal) {
  static_cast<void>(!write(STDERR_FILENO, current, std::strlen(current)));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Seed {
  std::string name;
  Bytes bytes;
};

std::vector<Seed> read_corpus(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Seed> seeds;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    seeds.push_back({file.filename().string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  return seeds;
}

class Changes {
 public:
  explicit Changes(const std::vector<Seed>& seeds) : seeds_(seeds) {}

  Bytes change(const Bytes& original) {
    Bytes bytes = original;
    for (std::size_t steps = 1 + below(3); steps > 0; --steps) step(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void step(Bytes& bytes) {
    constexpr std::uint8_t kTelling[] = {0, 1, 0x7F, 0x80, 0xFF, '"', '{', '}', '[', ']', ',', '\n', '\\', '9'};
    const std::size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        if (!bytes.empty()) bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = kTelling[below(std::size(kTelling))];
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        splice(bytes, 512);  // the least page
        break;
      case 4:
        splice(bytes, 1);
        break;
      default:
        for (std::size_t i = at; i < std::min(bytes.size(), at + 8); ++i)
          bytes[i] = static_cast<std::uint8_t>(random_());
    }
  }

  /// A stretch of any seed over a stretch of this one, both at multiples of `unit`.
  void splice(Bytes& bytes, std::size_t unit) {
    const Bytes& from = seeds_[below(seeds_.size())].bytes;
    const std::size_t source = below(from.size() / unit + 1) * unit, target = below(bytes.size() / unit + 1) * unit;
    std::size_t size = unit * (1 + below(64));
    size = source < from.size() ? std::min(size, from.size() - source) : 0;
    size = target < bytes.size() ? std::min(size, bytes.size() - target) : 0;
    if (size > 0) std::memcpy(&bytes[target], &from[source], size);
  }

  const std::vector<Seed>& seeds_;
  std::mt19937_64 random_;
};

void run(const Target& target, const std::string& name, std::size_t number, const Bytes& bytes) {
  std::snprintf(current, sizeof current, "\nreplay: stopped in %s, change %zu\n", name.c_str(), number);
  target.run(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const auto* target = std::find_if(std::begin(kTargets), std::end(kTargets), [&](const Target& known) {
    return argc > 2 && std::string(argv[1]) == known.name;
  });
  if (target == std::end(kTargets) || !fs::is_directory(argv[2])) {
    std::fputs("usage: fuzz_replays TARGET FOLDER [CHANGES]\n", stderr);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, say_which);
  const std::vector<Seed> seeds = read_corpus(argv[2]);
  const std::size_t changes = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 100;
  Changes random(seeds);
  for (const Seed& seed : seeds) {
    run(*target, seed.name, 0, seed.bytes);
    for (std::size_t i = 1; i <= changes; ++i) run(*target, seed.name, i, random.change(seed.bytes));
  }
  std::printf("%zu files and %zu changes of each\n", seeds.size(), changes);
  return seeds.empty() ? 1 : 0;
}
