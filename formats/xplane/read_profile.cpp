#include "read_profile.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "assay/detail/text.hpp"

namespace assay::xplane {
namespace {

constexpr std::string_view kGpu = "/device:GPU:", kTpu = "/device:TPU",
                           kDevice = "/device:", kHost = "/host:", kMetadata = "/host:metadata",
                           kTask = "Task Environment";

constexpr std::size_t kMaxDevices = 4096;

bool is_plane_name(std::string_view name) {
  return name.starts_with(kDevice) || name.starts_with(kHost) || name == kTask;
}

/// Number in "/device:GPU:3"; empty: another form of name.
std::optional<std::int32_t> gpu_number(std::string_view name) {
  if (!name.starts_with(kGpu)) return std::nullopt;
  name.remove_prefix(kGpu.size());
  const auto number = number_in<std::int32_t>(name);
  return number.value_or(-1) >= 0 ? number : std::nullopt;
}

void read_device(const PlaneMetadata& metadata, std::int32_t number, Profile& profile) {
  const auto known = std::ranges::find(profile.devices, number, &Device::id);
  if (known == profile.devices.end() && profile.devices.size() == kMaxDevices)
    throw Refusal("more than " + std::to_string(kMaxDevices) + " devices");
  Device& device = known != profile.devices.end() ? *known : profile.devices.emplace_back();
  device.id = number;
  std::int64_t bandwidth = -1;
  metadata.each_stat([&](std::string_view name, const StatValue& value) {
    const auto small = [&] {
      return static_cast<std::int32_t>(std::clamp<std::int64_t>(value.integer(), -1, 1 << 30));
    };
    const auto large = [&](std::int64_t unit) {
      constexpr std::int64_t kMax = std::int64_t{1} << 50;  // 1 PB, 1 PB/s; in kHz more than any clock
      return value.integer() > 0 && value.integer() < kMax ? value.integer() * unit : -1;
    };
    if (name == "gpu_device_name") device.name = value.text;
    if (name == "device_vendor") device.vendor = value.text;
    if (name == "core_count") device.cores = small();
    if (name == "compute_cap_major") device.compute_major = small();
    if (name == "compute_cap_minor") device.compute_minor = small();
    if (name == "memory_size") device.memory = large(1);
    if (name == "memory_bandwidth") bandwidth = large(1);
    if (name == "clock_rate") device.clock = large(1000);  // kHz
  });
  // XLA assumes two transfers per memory clock; HBM3, used by AMD from gfx942 on, makes four.
  const bool hbm3 = device.vendor == "AMD" && device.compute_major == 9 && device.compute_minor >= 4;
  if (bandwidth > 0) device.bandwidth = (hbm3 ? 2 : 1) * bandwidth;
}

void read_versions(const PlaneMetadata& metadata, Profile& profile) {
  metadata.each_stat([&](std::string_view name, const StatValue& value) {
    if (name == "process_id") profile.process = value.integer();
    if (name == "jax_version") profile.jax_version = value.text;
    if (name == "cuda_driver_version") profile.driver_version = value.text;
    if (name == "cuda_runtime_version") profile.cuda_version = value.text;
    if (name == "profile_start_time") profile.began = value.integer();
    if (name == "profile_stop_time") profile.ended = value.integer();
  });
}

void read_programs(const PlaneMetadata& metadata, Profile& profile) {
  metadata.each_event([&](const EventName& event) {
    Program program;
    program.name = event.name;
    each_field(event.message, [&](const Field& field) {
      if (field.is_number(1)) program.id = field.integer();
      if (!field.is_bytes(5)) return;
      metadata.read_stat(field.bytes, [&](std::string_view name, const StatValue& value) {
        if (name == "Hlo Proto" || name == "hlo_proto") program.proto = value.text;
        if (name == "program_id") program.id = value.integer();
      });
    });
    if (!program.proto.empty()) profile.programs.push_back(program);
  });
}

/// Counts unread rows: of TPUs, and of devices of unknown kind.
void pass_over(std::string_view plane, const PlaneMetadata& metadata, Profile& profile) {
  std::int64_t rows = 0;
  each_field(plane, [&](const Field& field) {
    rows += field.is_bytes(3) ? static_cast<std::int64_t>(read_line(field.bytes).events) : 0;
  });
  if (metadata.name().starts_with(kTpu)) {
    if (profile.tpu_plane.empty()) profile.tpu_plane = metadata.name();
    profile.tpu_rows += rows;
  } else {
    profile.unread.push_back({"plane", metadata.name(), rows});
  }
}

void read_plane(std::string_view plane, ReadCaches* caches, Profile& profile) {
  const PlaneMetadata metadata(plane, profile.texts);
  const std::optional<std::int32_t> gpu = gpu_number(metadata.name());
  if (gpu) {
    read_device(metadata, *gpu, profile);
    if (caches != nullptr) read_device_lines(plane, metadata, *gpu, *caches, profile);
  } else if (metadata.name() == kMetadata) {
    read_versions(metadata, profile);
    if (caches != nullptr) read_programs(metadata, profile);
  } else if (metadata.name().starts_with(kHost) || metadata.name() == kTask) {
    read_versions(metadata, profile);
    if (caches != nullptr) read_host_lines(plane, metadata, *caches, profile);
  } else {
    pass_over(plane, metadata, profile);
  }
}

/// Without caches, only the headers of the planes.
Profile read(std::string_view bytes, ReadCaches* caches) {
  Profile profile;
  each_field(bytes, [&](const Field& field) {
    if (field.is_bytes(1)) read_plane(field.bytes, caches, profile);
    if (field.is_bytes(4) && profile.host.empty()) profile.host = field.bytes;
  });
  return profile;
}

}  // namespace

bool begins_like_a_space(std::string_view head) {
  // The head is cut off inside the first plane, so its length is skipped rather than checked.
  if (head.empty() || head.front() != '\x0a') return false;
  try {
    FieldReader length(head.substr(1));
    if (length.varint() == 0) return false;
    FieldReader plane(head.substr(1).substr(head.size() - 1 - length.left()));
    for (Field field; plane.next(field);) {
      if (field.is_bytes(2)) return is_plane_name(field.bytes);
      if (!field.is_number(1)) return false;
    }
  } catch (const Damage&) {
  }
  return false;
}

Profile read_profile(std::string_view bytes, unsigned threads) {
  ReadCaches caches;
  caches.threads = threads;
  Profile profile = read(bytes, &caches);
  part_runtime(profile);
  return profile;
}
Profile read_headers(std::string_view bytes) { return read(bytes, nullptr); }

}  // namespace assay::xplane
