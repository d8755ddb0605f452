// A libnvidia-ml.so.1 of one GPU: 100 W, from 1.5 s after nvmlInit on 500 W, read as the average of the last second.
// Its energy counter moves on every 100 ms, and reading it takes 4 ms of a core, as an H100's does.
#include <algorithm>
#include <chrono>
#include <cmath>
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
}
