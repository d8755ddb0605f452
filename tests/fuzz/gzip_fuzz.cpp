// Gzip traces that were damaged after they were packed: what is read of one is what was packed, or an issue says that
// it is not. The first bytes say how the rest, a trace, is packed and what then happens to the file.
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "input_file.hpp"
#include "load/columns.hpp"
#include "load/every_column.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"

namespace assay::fuzz_of_gzip {

using Bytes = std::vector<std::uint8_t>;

/// What is done to a file, taken from the front of the input.
struct Damage {
  static constexpr std::size_t kBytes = 8;
  int level;                   ///< of compression; 0: stored blocks, which a flip leaves readable
  std::size_t members;         ///< the text is packed in so many
  std::size_t place;           ///< of the byte that is flipped
  std::uint8_t flip;           ///< 0: none is
  std::size_t lost, appended;  ///< bytes at the end

  explicit Damage(std::span<const std::uint8_t> from)
      : level(from[0] % 10),
        members(1 + from[1] % 3),
        place(std::size_t{from[2]} << 16 | std::size_t{from[3]} << 8 | from[4]),
        flip(from[5]),
        lost(from[6] % 24),
        appended(from[7] % 24) {}
};

void pack(std::span<const std::uint8_t> text, int level, Bytes& to) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  const std::size_t before = to.size();
  to.resize(before + deflateBound(&stream, text.size()));
  stream.next_in = const_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = to.data() + before;
  stream.avail_out = static_cast<uInt>(to.size() - before);
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  to.resize(to.size() - stream.avail_out);
  deflateEnd(&stream);
}

Bytes packed(std::span<const std::uint8_t> text, const Damage& damage) {
  Bytes file;
  const std::size_t part = text.size() / damage.members + 1;
  for (std::size_t at = 0; at < text.size(); at += part)
    pack(text.subspan(at, std::min(part, text.size() - at)), damage.level, file);
  return file;
}

/// The file as it is after the damage: flipped first, so that what is appended can follow a flip in the trailer.
Bytes damaged(Bytes file, const Damage& damage) {
  if (!file.empty()) file[damage.place % file.size()] ^= damage.flip;
  file.resize(file.size() - std::min(damage.lost, file.size()));
  for (std::size_t i = 0; i < damage.appended; ++i)
    file.push_back(static_cast<std::uint8_t>(damage.place * (i + 1) >> (i % 8)));
  return file;
}

/// Everything that was read, boiled down; and the issues that are more than information.
struct ReadSummary {
  std::size_t sum = 0;
  std::set<std::string> said;
};

template <class Table>
void add_times(std::size_t& sum, const Table* table) {
  for (std::size_t i = 0; table != nullptr && i < table->rows; ++i)
    sum = (sum * 31 + static_cast<std::size_t>(table->start[i])) * 31 + static_cast<std::size_t>(table->end[i]);
}

/// Nothing: the file was refused.
std::optional<ReadSummary> load(const Bytes& bytes) {
  static const std::set<ColumnId> columns = every_column();
  const auto profile = load_profile({fuzz::write_input(bytes), kind::kTorch}, "fuzzed", columns);
  if (!profile) {
    if (profile.error().sentence.empty()) std::abort();
    return std::nullopt;
  }
  const auto view = profile->view({}, {});
  if (!view) std::abort();
  const Report& report = view->report();
  ReadSummary seen;
  add_times(seen.sum, report.kernels);
  add_times(seen.sum, report.copies);
  add_times(seen.sum, report.calls);
  add_times(seen.sum, report.ranges);
  add_times(seen.sum, report.ops);
  for (std::size_t s = 0; s < report.strings.size; ++s) {
    for (const char c : report.strings[s].view()) seen.sum = seen.sum * 31 + static_cast<unsigned char>(c);
  }
  for (std::size_t i = 0; i < report.issues->rows; ++i) {
    if (report.issues->severity[i] != Severity::kInfo) seen.said.emplace(report.issues->text[i].view());
  }
  return seen;
}

extern "C" int gzip_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size <= Damage::kBytes) return 0;
  const Damage damage({data, Damage::kBytes});
  const Bytes whole = packed({data + Damage::kBytes, size - Damage::kBytes}, damage);
  const auto before = load(whole);
  const auto after = load(damaged(whole, damage));
  if (!before || !after || after->sum == before->sum) return 0;
  if (!std::includes(before->said.begin(), before->said.end(), after->said.begin(), after->said.end())) return 0;
  std::fprintf(stderr, "a damaged gzip file gives other numbers without an issue\n");
  std::abort();
}

}  // namespace assay::fuzz_of_gzip
