#include "check/manners.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>

#include "check/replies.hpp"
#include "files/descriptor.hpp"

namespace assay::check {

std::string printed_by(const std::function<void()>& work) {
  const files::Descriptor file(::memfd_create("assay-check", MFD_CLOEXEC));
  if (file.get() == -1) return {};
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file.get(), stream);
  work();
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  std::array<char, 80> bytes{};
  const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

CaseReply runs_nothing_when_loaded(const Descriptor& declared) {
  constexpr std::size_t kOfTheCompiler = 1;  // frame_dummy, present in every library
  Dl_info info{};
  link_map* map = nullptr;
  const int found =
      ::dladdr1(reinterpret_cast<const void*>(declared.create), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  if (found == 0 || map == nullptr) return {};
  std::size_t functions = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_INIT_ARRAYSZ) functions = entry->d_un.d_val / sizeof(void*);
  }
  if (functions <= kOfTheCompiler || !process::limits_memory()) return {};  // sanitizers add their own
  return failed("runs code when it is loaded (" + std::to_string(functions - kOfTheCompiler) +
                " constructors of static objects, such as a global std::string or what <iostream> brings); make them "
                "constexpr, or members of the analyzer");
}

}  // namespace assay::check
