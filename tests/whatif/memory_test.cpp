// How much memory a prediction over many runs takes.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steps.hpp"
#include "support/test.hpp"

namespace assay::whatif::memory_test {

/// Largest resident set of `assay whatif` on these profiles, KiB; 0: it failed.
long peak_of(const std::vector<std::string>& files) {
  std::vector<std::string> words = {ASSAY_PROGRAM, "whatif", "--remove", "sync"};
  words.insert(words.end(), files.begin(), files.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(ASSAY_PROGRAM, arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? usage.ru_maxrss : 0;
}

TEST(Memory, NeedsForManyRunsWhatTheLargestNeeds) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "freed memory is held back by the sanitizer";
#endif
  if (step_data().empty()) GTEST_SKIP() << "ASSAY_DATA has no folder step";
  const auto file = [](const char* variant, int block) {
    return step_data() + "/" + step_file("step", variant, block);
  };
  const long one = peak_of({file("base", 1)});
  std::vector<std::string> all;
  for (const char* variant : {"base", "pinned"}) {
    for (int block = 1; block <= kBlocks; ++block) all.push_back(file(variant, block));
  }
  const long many = peak_of(all);
  ASSERT_GT(one, 0);
  ASSERT_GT(many, 0);
  EXPECT_LT(static_cast<double>(many), 1.8 * static_cast<double>(one)) << "two are read at once";
}

}  // namespace assay::whatif::memory_test
