#include "formats/ncu/rep_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "formats/ncu/message.hpp"

namespace assay::ncu {
namespace {

/// Version in the file header. NVIDIA's extras/FileFormat promises compatibility only through this number.
constexpr std::uint64_t kVersion = 7;
/// The largest header or result that is read; one with every metric and all instances is below 3 MB.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 28;
/// The kept beginning of a skipped part: a result describes its launch before its metrics.
constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

struct BlockHeader {
  std::uint64_t sources = 0, results = 0, payload = 0, range_results = 0;
  std::string_view session, strings, process;
};

BlockHeader header_of(std::string_view bytes, bool& broken) {
  BlockHeader header;
  Message message(bytes);
  for (Field field; message.next(field);) {
    switch (field.number) {
      case 1:
        header.sources = field.value;
        break;
      case 2:
        header.results = field.value;
        break;
      case 3:
        header.session = field.bytes;
        break;
      case 4:
        header.strings = field.bytes;
        break;
      case 5:
        header.payload = field.value;
        break;
      case 6:
        header.process = field.bytes;
        break;
      case 7:
        header.range_results = field.value;
        break;
      default:
        break;
    }
  }
  broken = message.broken();
  return header;
}

class RepFile {
 public:
  explicit RepFile(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    std::error_code failed;
    size_ = std::filesystem::file_size(file, failed);
    if (failed) size_ = 0;
  }

  /// The version of the file; 0: not a .ncu-rep.
  std::uint64_t version() {
    std::array<char, 4> magic{};
    if (!in_.read(magic.data(), magic.size()) || std::string_view(magic.data(), 4) != kRepMagic) return 0;
    at_ = magic.size();
    if (!sized(header_)) return 0;
    Message message(header_);
    for (Field field; message.next(field);) {
      if (field.number == 1) return field.value;
    }
    return 0;
  }
  [[nodiscard]] bool at_end() const { return at_ >= size_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t left() const { return size_ - std::min(at_, size_); }

  /// A size followed by that many bytes; false if the file ends earlier or the size is impossible.
  bool sized(std::string& to) {
    std::uint32_t size = 0;
    if (!read_size(size) || size > kLargest || size > left()) return false;
    to.resize(size);
    if (!in_.read(to.data(), size)) return false;
    at_ += size;
    return true;
  }
  /// Skips a part; `head` receives its first bytes.
  bool skip_sized(std::string& head) {
    std::uint32_t size = 0;
    if (!read_size(size) || size > left()) return false;
    head.resize(std::min<std::size_t>(size, kHeadBytes));
    const std::uint64_t end = at_ + size;
    if (!in_.read(head.data(), static_cast<std::streamsize>(head.size()))) return false;
    at_ += head.size();
    return skip(end - at_);
  }
  bool skip(std::uint64_t bytes) {
    if (bytes > left()) return false;
    at_ += bytes;
    return static_cast<bool>(in_.seekg(static_cast<std::streamoff>(at_)));
  }

 private:
  bool read_size(std::uint32_t& size) {
    std::array<unsigned char, 4> bytes{};
    if (left() < bytes.size() || !in_.read(reinterpret_cast<char*>(bytes.data()), bytes.size())) return false;
    at_ += bytes.size();
    size = static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
           static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
    return true;
  }

  std::ifstream in_;
  std::uint64_t size_ = 0, at_ = 0;
  std::string header_;
};

/// Field 1 is the id; a result only has the thread.
std::optional<std::uint64_t> process_id(std::string_view process) {
  std::optional<std::uint64_t> id;
  Message message(process);
  for (Field field; message.next(field);) {
    if (field.number == 1 && !field.is_bytes()) id = field.value;
  }
  return id;
}

/// Whether a part that is not a result according to its header names a kernel with grid and block, as only results do.
bool names_launch(std::string_view head) {
  bool name = false, grid = false, block = false;
  Message message(head);
  for (Field field; message.next(field);) {
    if (!field.is_bytes()) continue;
    name |= field.number >= 5 && field.number <= 7 && !field.bytes.empty();
    grid |= field.number == 10;
    block |= field.number == 11;
  }
  return name && grid && block;
}

/// Session details: 6 per device {2 name}, 8 per component {1 name, 2 version}.
void read_session(std::string_view details, RepSession& session) {
  constexpr std::size_t kMaxComponents = 64;
  Message message(details);
  for (Field field; message.next(field);) {
    if (!field.is_bytes() || (field.number != 6 && field.number != 8)) continue;
    std::string first, second;
    Message inner(field.bytes);
    for (Field part; inner.next(part);) {
      if (part.is_bytes() && part.number == 1 && first.empty()) first = part.bytes;
      if (part.is_bytes() && part.number == 2 && second.empty()) second = part.bytes;
    }
    if (field.number == 6 && session.device.empty()) session.device = second;
    if (field.number == 8 && session.components.size() < kMaxComponents)
      session.components.emplace_back(std::move(first), std::move(second));
  }
}

}  // namespace

void RepNames::add_strings(std::string& header, std::string_view strings) {
  if (strings.empty()) return;  // the table of the previous block remains valid
  ++table_;
  const auto begin = static_cast<std::size_t>(strings.data() - header.data());
  header_.swap(header);
  strings = std::string_view(header_).substr(begin, strings.size());
  const auto each = [&](auto use) {
    Message message(strings);
    for (Field field; message.next(field);) {
      if (field.number == 1 && field.is_bytes()) use(field.bytes);
    }
  };
  std::size_t names = 0;
  each([&](std::string_view) { ++names; });
  std::vector<std::uint32_t>().swap(begins_);
  begins_.reserve(names);
  each([&](std::string_view name) {
    // The size is encoded with seven bits per byte.
    std::size_t bytes = 1;
    for (std::size_t size = name.size(); size >= 0x80; size >>= 7U) ++bytes;
    begins_.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(name.data() - header_.data()) - bytes));
  });
}

std::string_view RepNames::operator[](std::size_t place) const {
  std::size_t at = begins_[place], size = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(header_[at++]);
    size |= std::size_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return std::string_view(header_).substr(at, size);
}

bool is_rep(std::string_view head) { return head.starts_with(kRepMagic); }

RepSession rep_session(const std::filesystem::path& path, std::size_t most_blocks) {
  RepSession session;
  RepFile file(path);
  if (file.version() != kVersion) return session;
  std::string bytes;
  for (std::size_t block = 0; block < most_blocks && !file.at_end() && file.sized(bytes); ++block) {
    bool broken = false;
    const BlockHeader header = header_of(bytes, broken);
    read_session(header.session, session);
    if (broken || !file.skip(header.payload)) break;
  }
  return session;
}

RepOutcome read_rep(const std::filesystem::path& path,
                    const std::function<bool(std::string_view, const RepNames&)>& on_result,
                    const std::function<void(std::string_view)>& on_source) {
  RepFile file(path);
  const std::uint64_t version = file.version();
  if (version == 0) throw Unreadable("it is not a report of Nsight Compute", "copy it again");
  if (version != kVersion) {
    throw Unreadable(fmt::format("it is of version {} of Nsight Compute's file format, but version {} is supported",
                                 version, kVersion),
                     "export it with `ncu --import FILE --csv --page raw` (`assay convert` does that)");
  }
  RepOutcome outcome;
  RepNames names;
  std::string bytes;
  while (!file.at_end()) {
    if (!file.sized(bytes)) {
      outcome.cut_off = true;
      break;
    }
    bool broken = false;
    const BlockHeader header = header_of(bytes, broken);
    if (broken)
      throw Unreadable(fmt::format("it is damaged: the block before byte {} cannot be read", file.at()),
                       "copy it again");
    const auto [sources, results, payload, range_results, session, strings, process] = header;
    names.process = process_id(process);
    names.add_strings(bytes, strings);
    const std::uint64_t end = file.at() + payload;
    if (payload > file.left()) outcome.cut_off = true;
    bool whole = true;
    std::uint64_t launches = 0;  // among the skipped parts
    const auto skip = [&] {
      if (!file.skip_sized(bytes)) return false;
      launches += names_launch(bytes) ? 1U : 0U;
      return true;
    };
    for (std::uint64_t s = 0; s < sources && whole; ++s) {
      whole = on_source ? file.sized(bytes) : skip();
      if (!on_source || !whole) continue;
      launches += names_launch(bytes) ? 1U : 0U;
      on_source(bytes);
    }
    for (std::uint64_t r = 0; r < results && whole; ++r) {
      whole = file.sized(bytes);
      if (whole && !on_result(bytes, names)) ++outcome.broken;
    }
    // Range results cover several launches, for which the model has no table.
    std::uint64_t others = 0;
    while (whole && file.at() < end && skip()) ++others;
    outcome.uncounted += std::max(launches, others > range_results ? others - range_results : range_results - others);
    if (!whole || end < file.at() || !file.skip(end - file.at())) {
      outcome.cut_off = true;
      break;
    }
  }
  return outcome;
}

}  // namespace assay::ncu
