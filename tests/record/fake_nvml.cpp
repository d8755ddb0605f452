// A libnvidia-ml.so.1 of one GPU: 100 W, from 1.5 s after nvmlInit on 500 W, read as the average of the last second.
// Its energy counter moves on every 100 ms, and reading it takes 4 ms of a core, as an H100's does.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

std::chrono::steady_clock::time_point begin;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }
double joules(double time) { return 100 * time + 400 * std::max(0.0, time - 1.5); }

double core_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

extern "C" {
int nvmlInit_v2() {
  begin = std::chrono::steady_clock::now();
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 1;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned, void** device) {
  *device = &begin;
  return 0;
}
int nvmlDeviceGetUUID(void*, char* text, unsigned size) {
  std::strncpy(text, "GPU-fake", size);
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* mj) {
  constexpr double kCost = 0.004;
  for (const double started = core_seconds(); core_seconds() - started < kCost;) {
  }
  *mj = static_cast<unsigned long long>(1000 * joules(std::floor(10 * seconds()) / 10));
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* mw) {
  const double now = seconds();
  *mw = static_cast<unsigned>(1000 * (now < 1 ? 100 : joules(now) - joules(now - 1)));
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
  *mhz = 1500;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = 50;
  return 0;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = 0;
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::strncpy(text, "550.1", size);
  return 0;
}
int nvmlDeviceGetName(void*, char* text, unsigned size) {
  std::strncpy(text, "NVIDIA H100", size);
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* mhz) {
  *mhz = 1980;
  return 0;
}
/// Of fields 74 and 75 alone.
int nvmlDeviceGetFieldValues(void*, int count, char* fields) {
  constexpr std::size_t kSize = 40, kResult = 28, kValue = 32;
  for (int i = 0; i < count; ++i, fields += kSize) {
    unsigned id = 0;
    std::memcpy(&id, fields, sizeof id);
    const unsigned result = id == 74 || id == 75 ? 0 : 3;
    const unsigned long long ns = id == 74 ? 5'000'000 : 100'000;
    std::memcpy(fields + kResult, &result, sizeof result);
    std::memcpy(fields + kValue, &ns, sizeof ns);
  }
  return 0;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* percent) {
  percent[0] = 7;
  return 0;
}
int nvmlDeviceGetMemoryInfo_v2(void*, unsigned long long* memory) {
  memory[4] = 3U << 20U;
  return 0;
}
/// Two, one of them hidden, if FAKE_NVML_PROCESSES is set.
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, char* processes) {
  *count = 0;
  if (std::getenv("FAKE_NVML_PROCESSES") == nullptr) return 0;
  constexpr std::size_t kSize = 24;
  const unsigned ids[2] = {4711, 0};
  for (std::size_t i = 0; i < 2; ++i) std::memcpy(processes + i * kSize, &ids[i], sizeof ids[i]);
  *count = 2;
  return 0;
}
}
