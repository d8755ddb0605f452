#include "formats/torch/trace_environment.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <memory>
#include <nlohmann/json.hpp>

namespace assay::load {
namespace {

/// Size of what the profiler writes before the events; users may add descriptions of their own there.
constexpr std::size_t kFirstLook = 1U << 16, kLongLook = 1U << 20;

/// The beginning of a trace up to its events, decompressed if it is gzip; as much as can be read.
std::string head_of(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  std::string text;
  for (std::size_t wanted = kFirstLook; in != nullptr && text.size() < wanted && wanted <= kLongLook;) {
    const std::size_t had = text.size();
    text.resize(wanted);
    const int got = gzread(in.get(), text.data() + had, static_cast<unsigned>(wanted - had));
    text.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
    const std::size_t events = text.find("\"traceEvents\"");
    if (events != std::string::npos) text.resize(events + std::string_view("\"traceEvents\"").size());
    if (events != std::string::npos || text.size() < wanted) break;
    wanted = kLongLook;
  }
  return text;
}

/// Collects scalars of the document and of `distributedInfo`, and device names. The text may be cut anywhere.
class HeadReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] Environment environment() const {
    Environment out;
    add_to(out, "device", joined_models(devices_));
    const auto value = [&](const char* name) {
      const auto at = scalars_.find(name);
      return at == scalars_.end() ? std::string() : at->second;
    };
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
  HeadReader head;
  nlohmann::json::sax_parse(head_of(file), &head);
  return head.environment();
}

}  // namespace assay::load
