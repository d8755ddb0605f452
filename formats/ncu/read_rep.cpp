// The results of a .ncu-rep: launches and their counters, as on the raw page of a CSV.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <unordered_map>

#include "formats/ncu/message.hpp"
#include "formats/ncu/metric_unit.hpp"
#include "formats/ncu/read_ncu.hpp"
#include "formats/ncu/rep_file.hpp"

namespace assay::ncu {
namespace {

std::int32_t small(std::uint64_t value) {
  return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())
             ? static_cast<std::int32_t>(value)
             : kNone;
}

/// A size with three components; all kNone if one is missing.
std::array<std::int32_t, 3> three_sizes(std::string_view bytes) {
  std::array<std::int32_t, 3> out = {kNone, kNone, kNone};
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.number >= 1 && field.number <= 3 && !field.is_bytes()) out[field.number - 1] = small(field.value);
  }
  if (std::ranges::find(out, kNone) != out.end()) out.fill(kNone);
  return out;
}

/// The text of a metric: field 1. Empty for numbers and for groups.
std::string_view text_of(std::string_view bytes, std::string_view name) {
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.number == 1 && field.is_bytes() && name.find(':') == std::string_view::npos) return field.bytes;
  }
  return {};
}

/// The number of a metric: field 2 float, 3 double, 4 and 5 integers. Empty for texts and for groups without a value.
std::optional<double> number_of(std::string_view bytes) {
  std::optional<double> number;
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.is_bytes()) return std::nullopt;
    if (field.number == 2) number = field.as_float();
    if (field.number == 3) number = field.as_double();
    if (field.number == 4 || field.number == 5) number = static_cast<double>(field.value);
  }
  return number;
}

}  // namespace

/// Results of one file. Names and units of metrics are looked up once per string table.
class NcuReader::RepReader {
 public:
  /// `bytes`: size of the file; up to three times as much may be kept in memory.
  RepReader(NcuReader& reader, std::uint64_t bytes) : reader_(reader), left_(3 * bytes + kMinRoom) {}

  bool add_result(std::string_view bytes, const RepNames& names) {
    Launch launch;
    launch.id = next_id_++;
    std::string_view mangled, function, demangled;
    bool has_stream = false;
    metrics_.clear();
    Message message(bytes);
    for (Field field; message.next(field);) {
      switch (field.number) {
        case 1:
          launch.process = small(names.process.value_or(field.value));  // the field for its own id contains the thread
          break;
        case 5:
          mangled = field.bytes;
          break;
        case 6:
          function = field.bytes;
          break;
        case 7:
          demangled = field.bytes;
          break;
        case 10:
          launch.grid = three_sizes(field.bytes);
          break;
        case 11:
          launch.block = three_sizes(field.bytes);
          break;
        case 13:
          if (metrics_.size() >= left_ / kCounterBytes) return false;
          metrics_.push_back(field.bytes);
          break;
        case 22:
          launch.context = small(field.value);
          break;
        case 23:
          launch.stream = small(field.value);
          has_stream = true;
          break;
        default:
          break;
      }
    }
    if (message.broken()) return false;
    const std::string_view name = !demangled.empty() ? demangled : !function.empty() ? function : mangled;
    const std::uint64_t takes = kLaunchBytes + metrics_.size() * kCounterBytes;
    if (name.empty() || takes > left_) return false;
    left_ -= takes;
    ++(has_stream ? with_stream_ : without_stream_);
    bare_ += metrics_.empty() ? 1U : 0U;
    if (names.table() != table_) known_.clear();
    table_ = names.table();
    return add(launch, name, bytes, names);
  }

  [[nodiscard]] std::uint64_t not_available() const { return not_available_; }
  [[nodiscard]] std::int64_t results() const { return next_id_; }
  /// Results that lack the final fields, or that measure nothing.
  [[nodiscard]] std::uint64_t cut_short() const { return std::max(with_stream_ > 0 ? without_stream_ : 0, bare_); }

 private:
  /// Memory per launch and per counter, in the tables and while sorting.
  static constexpr std::uint64_t kLaunchBytes = 384, kCounterBytes = 64, kMinRoom = 1 << 20;
  struct KnownCounter {
    StringId name = 0, unit = 0;
    double factor = 1;
    bool count = false, device = false;
  };
  struct KnownValue {
    const KnownCounter* known;
    double value;
  };

  bool add(Launch& launch, std::string_view name, std::string_view bytes, const RepNames& names) {
    counters_.clear();
    for (const std::string_view metric : metrics_) {
      if (!read(metric, names)) return false;
    }
    for (const KnownValue& counter : counters_) {
      if (counter.known->device) launch.device = small(static_cast<std::uint64_t>(counter.value));
    }
    launch.name = reader_.intern(name);
    const Row row = reader_.row_of(launch.process, launch);
    if (reader_.source_) reader_.source_->add_result(bytes, launch.name, launch.id, names);
    for (const KnownValue& counter : counters_) {
      reader_.push(row, 0, counter.known->name, counter.known->unit, counter.value);
    }
    return true;
  }

  /// A metric: field 1 the index of its name in the string table, 2 the value, 3 the values of its instances, which
  /// SourceRows reads.
  bool read(std::string_view bytes, const RepNames& names) {
    std::uint64_t place = names.size();
    std::string_view content;
    Message message(bytes);
    for (Field field; message.next(field);) {
      if (field.number == 1 && !field.is_bytes()) place = field.value;
      if (field.number == 2 && field.is_bytes()) content = field.bytes;
    }
    if (message.broken() || place >= names.size()) return false;
    const std::optional<double> value = number_of(content);
    if (!value) {
      const std::string_view text = text_of(content, names[place]);
      if (!text.empty()) reader_.word(names[place], text);
      return true;
    }
    if (!std::isfinite(*value)) {
      ++not_available_;
      return true;
    }
    const KnownCounter& known = look_up(static_cast<std::uint32_t>(place), names[place]);
    // The difference of two counters from different passes may be negative; ncu prints 0.
    const double number = known.count && *value < 0 ? 0. : *value * known.factor;
    counters_.push_back({&known, number});
    return true;
  }

  const KnownCounter& look_up(std::uint32_t place, std::string_view name) {
    const auto [at, fresh] = known_.try_emplace(place);
    KnownCounter& known = at->second;
    if (!fresh) return known;
    known.device = name == "launch__device_id";
    std::string_view unit = unit_of_metric(name);
    // ncu prints this metric per kilobyte, on the page and in CSVs.
    if (unit == "%/byte") {
      unit = "%/Kbyte";
      known.factor = 1e-3;
    }
    known.count = unit == "sector" || unit == "inst" || unit == "request" || unit == "cycle" || unit == "byte";
    known.unit = reader_.intern(unit);
    known.name = reader_.intern(name);
    return known;
  }

  NcuReader& reader_;
  std::uint64_t table_ = 0;
  std::unordered_map<std::uint32_t, KnownCounter> known_;  ///< by index, for those that results mention
  std::uint64_t left_;
  std::vector<std::string_view> metrics_;
  std::vector<KnownValue> counters_;
  std::int64_t next_id_ = 0;
  std::uint64_t not_available_ = 0, with_stream_ = 0, without_stream_ = 0, bare_ = 0;
};

void NcuReader::read(const std::filesystem::path& file) {
  reading_ = {};
  reading_.name = file.filename().string();
  std::array<char, 4> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  if (!is_rep({head.data(), head.size()})) return read_csv(file);

  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  RepReader results(*this, failed ? 0 : size);
  if (source_) source_->begin_file(failed ? 0 : size);
  const auto on_result = [&](std::string_view bytes, const RepNames& names) {
    return results.add_result(bytes, names);
  };
  const RepOutcome read = source_
                              ? read_rep(file, on_result, [&](std::string_view bytes) { source_->add_source(bytes); })
                              : read_rep(file, on_result);
  if (static_cast<std::uint64_t>(results.results()) == read.broken) {
    throw Unreadable(fmt::format("it holds no kernel that Nsight Compute profiled{}",
                                 read.cut_off ? " (it ends inside a block)" : ""),
                     "profile again");
  }
  issue("ncu_cut_off", Severity::kWarning, read.cut_off ? 1 : 0,
        "ends inside a block; the profiler was stopped, or the file was copied incompletely.");
  issue("ncu_bad_rows", Severity::kError, read.broken,
        fmt::format("has {} results that cannot be read or name no kernel; they are left out, copy the file again.",
                    read.broken));
  issue("ncu_miscounted", Severity::kError, read.uncounted,
        fmt::format("holds {} parts more or fewer than its headers count, so launches may be missing; copy the file "
                    "again.",
                    read.uncounted));
  issue("ncu_cut_short", Severity::kError, results.cut_short(),
        fmt::format("has {} results without a counter or a stream, which results end with; copy the file again.",
                    results.cut_short()));
  issue(
      "ncu_no_code", Severity::kWarning, source_ ? source_->unplaced() : 0,
      "has source counters of launches whose code is missing or damaged, so they have no lines; copy the file again.");
  issue(
      "ncu_not_available", Severity::kInfo, results.not_available(),
      fmt::format("has {} counters without a value (n/a): this device or version has none.", results.not_available()));
}

}  // namespace assay::ncu
