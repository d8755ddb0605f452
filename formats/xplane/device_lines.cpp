#include <algorithm>
#include <charconv>
#include <string>

#include "details.hpp"
#include "read_profile.hpp"

namespace assay::xplane {
namespace {

constexpr std::string_view kStream = "Stream #";
constexpr std::size_t kMostRows = 0x7FFFFFFF;  // as a table of the host has

/// Number of "Stream #14(Memset,Compute)"; that of the line where the name has none.
std::int32_t stream_number(const Line& line) {
  const std::string_view digits = line.name.substr(kStream.size());
  std::int32_t number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (number < 0 && line.id >= 0 && line.id < (std::int64_t{1} << 31)) number = static_cast<std::int32_t>(line.id);
  return number;
}

/// Number in "$$1", the form in which contexts are written.
std::int32_t context_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('$'), text.size()));
  std::int32_t number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, -1);
}

class DeviceReader {
 public:
  DeviceReader(const PlaneMetadata& metadata, std::int32_t device, ReadCaches& caches, Profile& profile)
      : metadata_(metadata), caches_(caches), profile_(profile), device_(device) {}

  void read(const Line& line) {
    const std::int32_t stream = stream_number(line);
    // An event that says anything takes more bytes than that: a file of empty ones asks for no memory.
    constexpr std::size_t kLeastBytes = 4;
    const std::size_t events =
        std::min(static_cast<std::size_t>(count_events(line.message)), line.message.size() / kLeastBytes);
    const std::size_t rows = profile_.work.size() + events;
    if (rows > kMostRows) throw Refusal("more than " + std::to_string(kMostRows) + " events of devices");
    if (rows > profile_.work.capacity()) profile_.work.reserve(std::max(rows, 2 * profile_.work.capacity()));
    each_field(line.message, [&](const Field& field) {
      if (field.is_bytes(4)) add(read_event(field.bytes, line, metadata_, stats_), stream);
    });
  }

 private:
  void add(const Event& event, std::int32_t stream) {
    const EventName* const name = metadata_.event(event.metadata);
    if (name == nullptr) {
      ++profile_.unnamed;
      return;
    }
    Work& work = profile_.work.emplace_back();
    work.start = event.start, work.end = event.end, work.device = device_, work.stream = stream;
    work.name = name->text;
    work.correlation = stats_.integer(Stat::kCorrelation);
    work.graph_node = stats_.integer(Stat::kGraphNode);
    work.program = stats_.integer(Stat::kProgram);
    work.context = context_number(stats_.text(Stat::kContext));
    work.hlo_op = text(Stat::kHloOp);
    // Versions of ROCm have the path in `name` and a word that is none in tf_op.
    const bool has_path = stats_.text(Stat::kTfOp).find('/') != std::string_view::npos;
    work.path = text(has_path || !stats_.has(Stat::kName) ? Stat::kTfOp : Stat::kName);
    classify(work, name->name);
  }

  void classify(Work& work, std::string_view name) {
    const Stat transfer = stats_.has(Stat::kSetDetails) ? Stat::kSetDetails : Stat::kTransferDetails;
    if (stats_.has(Stat::kSetDetails) || (!stats_.has(Stat::kKernelDetails) && name.starts_with("Memset")))
      work.kind = WorkKind::kSet;
    else if (stats_.has(Stat::kTransferDetails) || (!stats_.has(Stat::kKernelDetails) && name.starts_with("Memcpy")))
      work.kind = WorkKind::kCopy;
    if (work.kind == WorkKind::kKernel) {
      work.shape = shape(stats_.text(Stat::kKernelDetails), caches_.launch, profile_.launches, launch_shape);
    } else {
      work.shape = shape(stats_.text(transfer), caches_.transfer, profile_.transfers, transfer_shape);
    }
  }

  /// Number of a text's shape, which is read once.
  template <class Shape, class Read>
  std::uint32_t shape(std::string_view details, std::vector<std::uint32_t>& numbers, std::vector<Shape>& shapes,
                      Read&& read) {
    if (details.empty()) return 0;
    const TextId text = text_of(details);
    if (numbers.size() <= text) numbers.resize(text + 1);
    std::uint32_t& number = numbers[text];
    if (number == 0) {
      number = static_cast<std::uint32_t>(shapes.size());
      shapes.push_back(read(details));
    }
    return number;
  }

  TextId text(Stat stat) {
    const std::string_view said = stats_.text(stat);
    return said.empty() ? 0 : text_of(said);
  }
  /// Texts that are referred to stand in the metadata: the same text is at the same place.
  TextId text_of(std::string_view text) {
    auto& placed = caches_.placed[reinterpret_cast<std::uintptr_t>(text.data()) % caches_.placed.size()];
    if (placed.data != text.data() || placed.size != text.size())
      placed = {text.data(), text.size(), profile_.texts.add(text)};
    return placed.text;
  }

  const PlaneMetadata& metadata_;
  ReadCaches& caches_;
  Profile& profile_;
  std::int32_t device_;
  EventStats stats_;
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
    else  // made of the streams by a viewer: "XLA Ops", "Steps"
      profile.unread.push_back({"line", line.name, count_events(line.message)});
  });
}

}  // namespace assay::xplane
