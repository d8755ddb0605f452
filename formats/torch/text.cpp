#include "formats/torch/text.hpp"

#include <fmt/core.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

#include "formats/torch/read_ahead.hpp"
#include "huge_pages.hpp"

namespace assay::load {
namespace fs = std::filesystem;
namespace {

/// DEFLATE expands data at most by this factor.
constexpr std::size_t kMaxInflation = 1032;
constexpr std::size_t kSmallestGzip = 18;
/// Decompressing at once takes this much memory; decompressing in windows takes two and a half times as long.
constexpr std::uint32_t kMaxAtOnce = std::uint32_t{256} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

bool is_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

/// Decompresses piece by piece: any number of members, any size, and the intact part of a damaged file.
class Inflater {
 public:
  Inflater(File file, std::string& damage) : file_(std::move(file)), damage_(damage), input_(std::size_t{1} << 18) {
    constexpr int kGzipOnly = 15 + 16;
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::size_t read(char* to, std::size_t room) {
    room = std::min<std::size_t>(room, std::size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    while (ready_ && stream_.avail_out > 0) step();
    return room - stream_.avail_out;
  }

 private:
  void step() {
    if (stream_.avail_in == 0 && !refill()) {
      if (!between_) damage_ = "the gzip data end before their trailer";
      ready_ = false;
      return;
    }
    if (between_ && *stream_.next_in != 0x1f) {
      skip_padding();
      ready_ = false;
      return;
    }
    between_ = false;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      between_ = true;
      inflateReset(&stream_);
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      damage_ =
          fmt::format("the gzip data are damaged{}", stream_.msg != nullptr ? fmt::format(" ({})", stream_.msg) : "");
      ready_ = false;
    }
  }

  /// After the last member only zero padding is allowed, as on tapes.
  void skip_padding() {
    do {
      for (; stream_.avail_in > 0; --stream_.avail_in, ++stream_.next_in) {
        if (*stream_.next_in == 0) continue;
        damage_ = "something that is not gzip follows the gzip data";
        return;
      }
    } while (refill());
  }

  bool refill() {
    const std::size_t got = std::fread(input_.data(), 1, input_.size(), file_.get());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }

  File file_;
  std::string& damage_;
  std::vector<char> input_;
  z_stream stream_{};
  bool ready_ = false, between_ = false;
};

std::vector<char> read_all(std::FILE* file, std::size_t expected) {
  std::vector<char> bytes(expected);
  bytes.resize(std::fread(bytes.data(), 1, expected, file));
  return bytes;
}

}  // namespace

void TraceText::Free::operator()(char* bytes) const { std::free(bytes); }

/// An uninitialised buffer, so that pages that are never written use no memory.
TraceText::Buffer TraceText::uncleared(std::size_t& text) {
  const bool large = text >= 2 * kHugePage;
  const std::size_t page = large ? kHugePage : kPadding;
  const std::size_t bytes = (1 + text + kPadding + page - 1) / page * page;
  Buffer buffer(static_cast<char*>(std::aligned_alloc(page, bytes)));
  if (buffer == nullptr) throw std::bad_alloc();
  text = bytes - 1 - kPadding;
  want_huge_pages(buffer.get(), bytes);  // page faults per 4 KiB cost as much as decompressing
  return buffer;
}

/// Decompresses a file with one member whose trailer has its size; empty if that fails or it is too large.
TraceText::Buffer TraceText::inflate_at_once(std::FILE* file, std::size_t packed_size, std::size_t& size) {
  if (packed_size < kSmallestGzip) return nullptr;
  std::uint32_t said = 0;  // little-endian, as x86 and ARM are
  if (std::fseek(file, -static_cast<long>(sizeof said), SEEK_END) != 0 || std::fread(&said, sizeof said, 1, file) != 1)
    return nullptr;
  if (said == 0 || said > kMaxAtOnce || said / kMaxInflation > packed_size) return nullptr;
  std::rewind(file);
  const std::vector<char> packed = read_all(file, packed_size);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::size_t room = said;
  Buffer buffer = uncleared(room);
  std::size_t used = 0;
  const libdeflate_result outcome =
      libdeflate_gzip_decompress_ex(inflater.get(), packed.data(), packed.size(), buffer.get() + 1, said, &used, &size);
  const bool all = outcome == LIBDEFLATE_SUCCESS && used == packed.size() && size == said;
  return all ? std::move(buffer) : nullptr;
}

TraceText TraceText::whole(Buffer buffer, std::size_t size) {
  TraceText text;
  text.buffer_ = std::move(buffer);
  text.room_ = size;
  text.end_ = text.begin() + size;
  std::memset(text.end_, ' ', kPadding);
  return text;
}

/// Reads on a thread of its own if one is available.
TraceText::Source TraceText::ahead(Source source) {
  try {
    const auto reader = std::make_shared<ReadAhead>(source);
    return [reader](char* to, std::size_t room) { return reader->read(to, room); };
  } catch (const std::system_error&) {
    return source;
  }
}

Result<TraceText> TraceText::open(const fs::path& path, unsigned threads, std::size_t window) {
  File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return Error{.sentence = fmt::format("it cannot be opened ({})", std::strerror(errno)),
                 .exit = Exit::kFailed,
                 .remedy = "check its permissions"};
  }
  std::error_code failed;
  const std::size_t size = fs::file_size(path, failed);
  if (failed || size == 0)
    return Error{.sentence = "it is empty", .exit = Exit::kFailed, .remedy = "export the trace again"};
  char head[2] = {};
  const bool gzip = std::fread(head, 1, sizeof head, file.get()) == sizeof head && is_gzip({head, sizeof head});
  std::rewind(file.get());
  if (gzip) {
    std::size_t inflated = 0;
    if (auto buffer = inflate_at_once(file.get(), size, inflated)) return whole(std::move(buffer), inflated);
    std::rewind(file.get());
  }
  TraceText text;
  text.window_ = gzip ? window : std::min(window, size);
  text.buffer_ = uncleared(text.room_);
  text.end_ = text.begin();
  if (gzip) {
    const auto inflater = std::make_shared<Inflater>(std::move(file), *text.damage_);
    text.source_ = [inflater](char* to, std::size_t room) { return inflater->read(to, room); };
    if (threads > 1) text.source_ = ahead(std::move(text.source_));
  } else {
    const std::shared_ptr<std::FILE> plain(file.release(), CloseFile());
    text.source_ = [plain](char* to, std::size_t room) { return std::fread(to, 1, room, plain.get()); };
  }
  char* from = text.begin();
  text.more(from);
  return text;
}

bool TraceText::more(char*& from) {
  if (!source_) return false;
  const auto kept = static_cast<std::size_t>(end_ - from);
  // Room for at least as much again as is kept, so that a long value is read in few steps.
  std::size_t wanted = std::max(kept + window_, 2 * kept);
  if (wanted > room_) {
    Buffer larger = uncleared(wanted);
    std::memcpy(larger.get() + 1, from, kept);
    buffer_ = std::move(larger);
    room_ = wanted;
  } else {
    std::memmove(begin(), from, kept);
  }
  from = begin();
  end_ = from + kept;
  const std::size_t got = source_(end_, room_ - kept);
  end_ += got;
  std::memset(end_, ' ', kPadding);
  if (got == 0) source_ = nullptr;
  return got > 0;
}

}  // namespace assay::load
