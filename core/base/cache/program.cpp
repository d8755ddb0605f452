#include "cache/program.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cache/still_file.hpp"
#include "files/descriptor.hpp"

namespace assay::cache {
namespace {

struct Segment {
  std::uintptr_t begin, end;
  bool writable;
};

/// One object that the loader has mapped.
struct Image {
  bool program;
  std::vector<Segment> segments;

  [[nodiscard]] bool holds(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return std::any_of(segments.begin(), segments.end(),
                       [&](const Segment& segment) { return at >= segment.begin && at < segment.end; });
  }
};

int add_image(dl_phdr_info* info, std::size_t, void* to) {
  auto& images = *static_cast<std::vector<Image>*>(to);
  Image image{images.empty(), {}};  // the program comes first
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    image.segments.push_back({begin, begin + header.p_memsz, (header.p_flags & PF_W) != 0});
  }
  images.push_back(std::move(image));
  return 0;
}

std::vector<Image> loaded_images() {
  std::vector<Image> images;
  dl_iterate_phdr(&add_image, &images);
  return images;
}

/// Digest of code and constants, which are equal in every process; the linker's build id, one of the constants, covers
/// the rest. Read through /proc/self/mem, because a sanitizer would object to the gaps between constants.
std::optional<files::Digest> digest_of_memory(int memory, const Image& image) {
  std::vector<char> block(1U << 16);
  files::Digester digester;
  for (const Segment& segment : image.segments) {
    if (segment.writable) continue;
    for (std::uintptr_t at = segment.begin; at < segment.end;) {
      const std::size_t wanted = std::min<std::size_t>(block.size(), segment.end - at);
      const ssize_t got = ::pread(memory, block.data(), wanted, static_cast<off_t>(at));
      if (got <= 0) return std::nullopt;
      digester.add({block.data(), static_cast<std::size_t>(got)});
      at += static_cast<std::size_t>(got);
    }
  }
  return digester.value();
}

files::Descriptor own_memory() { return files::Descriptor(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC)); }

void add(files::Digester& to, const files::Digest& part) { to.add(files::hex(part)); }

}  // namespace

std::optional<files::Digest> digest_of_program(std::span<const void* const> plugins) {
  const files::Descriptor memory = own_memory();
  const std::optional<FileContent> program = read_content("/proc/self/exe");
  if (!memory || !program) return std::nullopt;
  const auto* kernels = reinterpret_cast<const void*>(getauxval(AT_SYSINFO_EHDR));  // the page that the kernel adds
  std::vector<files::Digest> parts{program->bytes};
  for (const Image& image : loaded_images()) {
    const bool of_plugin = std::any_of(plugins.begin(), plugins.end(), [&](const void* p) { return image.holds(p); });
    if (image.program || of_plugin || image.holds(kernels)) continue;
    const std::optional<files::Digest> part = digest_of_memory(memory.get(), image);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  std::sort(parts.begin() + 1, parts.end());  // libraries are loaded in no fixed order
  files::Digester digester;
  for (const files::Digest& part : parts) add(digester, part);
  return digester.value();
}

std::optional<files::Digest> digest_of_library(const std::filesystem::path& file, const void* address) {
  const files::Descriptor memory = own_memory();
  const std::optional<FileContent> content = read_content(file);
  if (!memory || !content) return std::nullopt;
  const std::vector<Image> images = loaded_images();
  const auto image = std::find_if(images.begin(), images.end(), [&](const Image& i) { return i.holds(address); });
  if (image == images.end()) return std::nullopt;
  const std::optional<files::Digest> in_memory = digest_of_memory(memory.get(), *image);
  if (!in_memory) return std::nullopt;
  files::Digester digester;
  add(digester, content->bytes);
  add(digester, *in_memory);
  return digester.value();
}

}  // namespace assay::cache
