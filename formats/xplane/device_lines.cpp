#include <algorithm>
#include <charconv>
#include <exception>
#include <string>
#include <thread>

#include "details.hpp"
#include "read_profile.hpp"

namespace assay::xplane {
namespace {

constexpr std::string_view kStream = "Stream #";
constexpr std::size_t kMaxRows = 0x7FFFFFFF;  // limit for a table of the host

/// Number in "Stream #14(Memset,Compute)"; that of the line if the name has none.
std::int32_t stream_number(const Line& line) {
  const std::string_view digits = line.name.substr(kStream.size());
  std::int32_t number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (number < 0 && line.id >= 0 && line.id < (std::int64_t{1} << 31)) number = static_cast<std::int32_t>(line.id);
  return number;
}

/// Number in "$$1", the notation of contexts.
std::int32_t context_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('$'), text.size()));
  std::int32_t number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, -1);
}

/// A text inside the event itself: few writers do that, most refer to metadata.
struct OwnText {
  Work* work;
  TextId Work::* to;
  std::string_view text;
};

/// Reads a part of a line into rows. Modifies nothing shared, so that several threads can read a line.
class PartReader {
 public:
  PartReader(const PlaneMetadata& metadata, const Line& line, std::int32_t device)
      : metadata_(metadata), line_(line), device_(device), stream_(stream_number(line)) {}

  /// Returns the end of the rows written from `to` on. `shape` of a row is the text of its details.
  Work* read(std::string_view part, Work* to) {
    each_field(part, [&](const Field& field) {
      if (is_event(field)) to += add(read_event(field.bytes, line_, metadata_, stats_), *to) ? 1 : 0;
    });
    return to;
  }
  std::vector<OwnText> texts;
  std::int64_t unnamed = 0;

 private:
  bool add(const Event& event, Work& work) {
    const EventName* const name = metadata_.event(event.metadata);
    if (name == nullptr) {
      ++unnamed;
      return false;
    }
    work.start = event.start;
    work.end = event.end;
    work.device = device_;
    work.stream = stream_;
    work.name = name->text;
    work.correlation = stats_.integer(Stat::kCorrelation);
    work.graph_node = stats_.integer(Stat::kGraphNode);
    work.program = stats_.integer(Stat::kProgram);
    work.context = context_number(stats_.text(Stat::kContext));
    set_text(work, &Work::hlo_op, Stat::kHloOp);
    // Some versions of ROCm have the path in `name` and a word that is not a path in tf_op.
    const bool has_path = stats_.text(Stat::kTfOp).find('/') != std::string_view::npos;
    set_text(work, &Work::path, has_path || !stats_.has(Stat::kName) ? Stat::kTfOp : Stat::kName);
    classify(work, name->name);
    return true;
  }

  void classify(Work& work, std::string_view name) {
    const Stat transfer = stats_.has(Stat::kSetDetails) ? Stat::kSetDetails : Stat::kTransferDetails;
    if (stats_.has(Stat::kSetDetails) || (!stats_.has(Stat::kKernelDetails) && name.starts_with("Memset")))
      work.kind = WorkKind::kSet;
    else if (stats_.has(Stat::kTransferDetails) || (!stats_.has(Stat::kKernelDetails) && name.starts_with("Memcpy")))
      work.kind = WorkKind::kCopy;
    set_text(work, &Work::shape, work.kind == WorkKind::kKernel ? Stat::kKernelDetails : transfer);
  }

  void set_text(Work& work, TextId Work::* to, Stat stat) {
    work.*to = stats_.text_id(stat);
    if (work.*to == 0 && !stats_.text(stat).empty()) texts.push_back({&work, to, stats_.text(stat)});
  }

  const PlaneMetadata& metadata_;
  const Line& line_;
  std::int32_t device_, stream_;
  EventStats stats_;
};

/// Parts of a line, made of whole fields with about equally many events.
struct LinePart {
  std::string_view fields;
  std::size_t events = 0;
};
std::vector<LinePart> parts_of(const Line& line, std::size_t count) {
  if (count < 2) return {{line.message, line.events}};
  std::vector<LinePart> parts(1);
  const std::size_t most = line.events / count + 1;
  FieldReader reader(line.message);
  std::size_t from = 0;
  for (Field field; reader.next(field);) {
    parts.back().events += is_event(field) ? 1U : 0U;
    const std::size_t at = line.message.size() - reader.left();
    parts.back().fields = line.message.substr(from, at - from);
    if (parts.back().events == most) {
      from = at;
      parts.emplace_back();
    }
  }
  return parts;
}

class DeviceReader {
 public:
  DeviceReader(const PlaneMetadata& metadata, std::int32_t device, ReadCaches& caches, Profile& profile)
      : metadata_(metadata), caches_(caches), profile_(profile), device_(device) {}

  void read(const Line& line) {
    constexpr std::size_t kManyEvents = 1U << 14U;
    const std::size_t first = profile_.work.size(), rows = first + line.events;
    if (rows > kMaxRows) throw Refusal("more than " + std::to_string(kMaxRows) + " events of devices");
    if (rows > profile_.work.capacity()) profile_.work.reserve(std::max(rows, 2 * profile_.work.capacity()));
    profile_.work.resize(rows);
    const std::vector<LinePart> parts = parts_of(line, line.events < kManyEvents ? 1 : caches_.threads);
    std::vector<PartReader> readers(parts.size(), PartReader(metadata_, line, device_));
    std::vector<Work*> begin(parts.size(), profile_.work.data() + first), end(parts.size());
    for (std::size_t p = 1; p < parts.size(); ++p) begin[p] = begin[p - 1] + parts[p - 1].events;
    each_at_once(parts.size(), [&](std::size_t p) { end[p] = readers[p].read(parts[p].fields, begin[p]); });
    finish(first, readers, begin, end);
  }

 private:
  /// Calls `use(0)` to `use(n - 1)`, each on a thread of its own. Rethrows the first exception.
  template <class Use>
  static void each_at_once(std::size_t n, Use&& use) {
    std::vector<std::exception_ptr> problems(n);
    const auto one = [&](std::size_t i) {
      try {
        use(i);
      } catch (...) {
        problems[i] = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < n; ++i) threads.emplace_back(one, i);
      one(0);
    }
    for (const std::exception_ptr& problem : problems)
      if (problem) std::rethrow_exception(problem);
  }

  /// Numbers texts and shapes in file order and removes the gaps left by events without a name.
  void finish(std::size_t first, const std::vector<PartReader>& readers, const std::vector<Work*>& begin,
              const std::vector<Work*>& end) {
    Work* last = profile_.work.data() + first;
    for (std::size_t p = 0; p < readers.size(); ++p) {
      for (const OwnText& own : readers[p].texts) own.work->*own.to = profile_.texts.add(own.text);
      profile_.unnamed += readers[p].unnamed;
      for (Work* work = begin[p]; work != end[p]; ++work) {
        work->shape = work->kind == WorkKind::kKernel
                          ? shape(work->shape, caches_.launch, profile_.launches, launch_shape)
                          : shape(work->shape, caches_.transfer, profile_.transfers, transfer_shape);
      }
      last = last == begin[p] ? end[p] : std::move(begin[p], end[p], last);
    }
    profile_.work.resize(static_cast<std::size_t>(last - profile_.work.data()));
  }

  /// Number of the shape of a text, which is parsed once.
  template <class Shape, class Read>
  std::uint32_t shape(TextId details, std::vector<std::uint32_t>& numbers, std::vector<Shape>& shapes, Read&& read) {
    if (details == 0) return 0;
    if (numbers.size() <= details) numbers.resize(details + 1);
    std::uint32_t& number = numbers[details];
    if (number == 0) {
      number = static_cast<std::uint32_t>(shapes.size());
      shapes.push_back(read(profile_.texts[details]));
    }
    return number;
  }

  const PlaneMetadata& metadata_;
  ReadCaches& caches_;
  Profile& profile_;
  std::int32_t device_;
};

}  // namespace

void read_device_lines(std::string_view plane, const PlaneMetadata& metadata, std::int32_t device, ReadCaches& caches,
                       Profile& profile) {
  DeviceReader reader(metadata, device, caches, profile);
  each_field(plane, [&](const Field& field) {
    if (!field.is_bytes(3)) return;
    const Line line = read_line(field.bytes);
    if (line.name.starts_with(kStream))
      reader.read(line);
    else  // derived from the streams by a viewer: "XLA Ops", "Steps"
      profile.unread.push_back({"line", line.name, static_cast<std::int64_t>(line.events)});
  });
}

}  // namespace assay::xplane
