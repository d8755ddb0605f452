#include "formats/torch/trace_environment.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "formats/torch/number.hpp"
#include "load/clean.hpp"

namespace assay::load {
namespace {

/// Size of what the profiler writes before the events; users may add descriptions of their own there.
constexpr std::size_t kFirstLook = 1U << 16, kLongLook = 1U << 20;
/// Size of the first events and of what is written after the events.
constexpr std::size_t kFewEvents = 1U << 14;
constexpr std::int64_t kEnding = 1 << 12;
/// A longer compressed trace is not unpacked for the time at its end (about half a second).
constexpr std::int64_t kMaxUnpacked = std::int64_t{1} << 29;

/// "2025-08-04 16:29:32".
std::string time_text(std::int64_t ns) {
  const std::time_t seconds = ns / 1'000'000'000;
  std::tm parts{};
  char text[32];
  const bool is_date = gmtime_r(&seconds, &parts) != nullptr;
  return {text, is_date ? std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) : 0};
}
constexpr std::string_view kEvents = "\"traceEvents\"", kBase = "\"baseTimeNanoseconds\"", kStart = "\"ts\"";

/// The beginning of a trace, decompressed if it is gzip; as much as can be read.
class TraceBeginning {
 public:
  explicit TraceBeginning(const std::filesystem::path& file) : file_(file), in_(gzopen(file.c_str(), "rb"), gzclose) {
    for (const std::size_t wanted : {kFirstLook, kLongLook}) {
      if (events_ == std::string::npos) read(wanted - text_.size());
      events_ = text_.find(kEvents);
    }
    if (events_ != std::string::npos && text_.size() - events_ < kFewEvents) read(kFewEvents);
  }

  /// Up to the events.
  [[nodiscard]] std::string_view head() const {
    return std::string_view(text_).substr(0, events_ == std::string::npos ? events_ : events_ + kEvents.size());
  }

  /// Start of the first event, in ns since the epoch; empty if the trace does not state it. Some versions of
  /// PyTorch write time 0 after the events.
  [[nodiscard]] std::optional<std::int64_t> first_event() {
    if (events_ == std::string::npos) return std::nullopt;
    const std::optional<std::int64_t> start = parse_time(value_of(kStart, std::string_view(text_).substr(events_)));
    if (!start || *start >= kEpochTimes) return start;
    std::string_view base = value_of(kBase, head());
    if (base.empty()) base = value_of(kBase, ending());
    const std::int64_t zero = parse_decimal(base).value_or(0);
    if (zero <= 0 || !is_time(zero) || !is_time(*start)) return std::nullopt;
    return zero + *start;
  }

 private:
  /// Appends as many bytes, or what is left.
  void read(std::size_t bytes) {
    if (in_ == nullptr) return;
    const std::size_t had = text_.size();
    text_.resize(had + bytes);
    const int got = gzread(in_.get(), text_.data() + had, static_cast<unsigned>(bytes));
    text_.resize(had + static_cast<std::size_t>(std::max(got, 0)));
  }

  /// Goes on to the end of the trace, or as far as that takes no longer than kMaxUnpacked.
  std::string_view ending() {
    std::error_code failed;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file_, failed));
    if (gzdirect(in_.get()) != 0)
      gzseek(in_.get(), std::max<std::int64_t>(size - kEnding, gztell(in_.get())), SEEK_SET);
    for (std::int64_t had = -1; gztell(in_.get()) != had && had < kMaxUnpacked;) {
      had = gztell(in_.get());
      text_.erase(0, text_.size() - std::min(text_.size(), static_cast<std::size_t>(kEnding)));
      read(kLongLook);
    }
    return text_;
  }

  /// The scalar of a key; empty: not there.
  static std::string_view value_of(std::string_view key, std::string_view text) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return {};
    const std::size_t from = text.find_first_not_of(" \t\r\n:", at + key.size());
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_first_of(",}\r\n", from) - from);
  }

  const std::filesystem::path& file_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> in_;
  std::string text_;
  std::size_t events_ = std::string::npos;
};

/// Collects scalars of the document and of `distributedInfo`, and device names. The text may be cut anywhere.
class HeadReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] Environment environment() const {
    Environment out;
    const auto value = [&](const char* name) {
      const auto at = scalars_.find(name);
      return at == scalars_.end() ? std::string() : at->second;
    };
    add_to(out, "device", devices_.empty() ? accelerator(value("distributedInfo.backend")) : joined_models(devices_));
    add_to(out, "cuda", cuda_version(value("cuda_driver_version")));
    if (out.empty() || out.back().first != "cuda") add_to(out, "cuda", hip_version(value("hip_driver_version")));
    std::string profiler = "PyTorch profiler";
    if (const std::string cupti = value("cupti_version"); !cupti.empty()) profiler += ", CUPTI " + cupti;
    if (const std::string roc = value("roctracer_version"); !roc.empty()) profiler += ", roctracer " + roc;
    add_to(out, "profiler", profiler);
    add_to(out, "rank", value("distributedInfo.rank"));
    add_to(out, "world_size", value("distributedInfo.world_size"));
    if (lists_devices_ && !describes_device_) add_to(out, "captured", "host");
    return out;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t number) override { return scalar(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return scalar(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return scalar(text); }
  bool string(string_t& text) override { return scalar(text); }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    describes_device_ = describes_device_ || (depth_ == 2 && top_ == kDevices);
    return open();
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override {
    lists_devices_ = lists_devices_ || (depth_ == 1 && top_ == kDevices);
    return open();
  }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (depth_ == 1) top_ = name;
    last_ = name;
    return !(depth_ == 1 && name == "traceEvents");
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  /// "MTIA" of "mtia:hccl,cpu:gloo"; empty for devices that state their names.
  static std::string accelerator(const std::string& backend) {
    std::string word = backend.find(':') == std::string::npos ? "" : backend.substr(0, backend.find(':'));
    if (word == "cuda" || word == "cpu" || word.find(',') != std::string::npos) return {};
    for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return word;
  }
  static std::string hip_version(const std::string& text) {
    constexpr std::size_t kMajorAndMinor = 7;  // major * 10^7 + minor * 10^5 + patch
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (text.size() <= kMajorAndMinor || text.size() > kMajorAndMinor + 2 || !digits) return {};
    const std::string minor = text.substr(text.size() - 7, 2);
    return fmt::format("HIP {}.{}", text.substr(0, text.size() - 7), minor[0] == '0' ? minor.substr(1) : minor);
  }
  bool open() {
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }
  bool scalar(const std::string& text) {
    if (depth_ == 1) scalars_.emplace(last_, text);
    if (depth_ == 2 && top_ == "distributedInfo") scalars_.emplace("distributedInfo." + last_, text);
    if (depth_ == 3 && top_ == kDevices && last_ == "name") devices_.push_back(text);
    return true;
  }

  static constexpr std::string_view kDevices = "deviceProperties";
  std::size_t depth_ = 0;
  bool lists_devices_ = false, describes_device_ = false;
  std::string top_, last_;
  std::map<std::string, std::string> scalars_;
  std::vector<std::string> devices_;
};

}  // namespace

Environment trace_environment(const std::filesystem::path& file) {
  TraceBeginning trace(file);
  HeadReader head;
  nlohmann::json::sax_parse(trace.head(), &head);
  Environment out = head.environment();
  if (const std::optional<std::int64_t> first = trace.first_event()) add_to(out, "recorded", time_text(*first));
  return out;
}

}  // namespace assay::load
