// Samples of the GPU's counters: what a busy GPU leaves unused.
#include <gtest/gtest.h>

#include "made_export.hpp"

namespace assay {
namespace gpu_samples_test {

/// A kernel from 1,000 to 2,000; of each GPU samples of SMs Active from 0 to 3,000, which are 0 outside of the kernel.
std::string sms_active(const std::vector<int>& of_gpu) {
  MadeExport made;
  made.with_kernels().kernel(1000, 2000, pid(1), 1);
  made.add(
      "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INT, sourceId INT, typeName TEXT, metricId INT, metricName TEXT);"
      "CREATE TABLE GPU_METRICS(timestamp INT, typeId INT, metricId INT, value INT);");
  for (std::size_t gpu = 0; gpu < of_gpu.size(); ++gpu) {
    const std::string type = std::to_string(gpu + 1);
    made.add("INSERT INTO TARGET_INFO_GPU_METRICS VALUES(" + type + ",1,'g',7,'SMs Active [Throughput %]'),(" + type +
             ",1,'g',8,'SM Issue [Throughput %]');");
    for (int time = 0; time <= 3000; time += 100) {
      const int value = time >= 1000 && time <= 2000 ? of_gpu[gpu] : 0;
      made.add("INSERT INTO GPU_METRICS VALUES(" + std::to_string(time) + "," + type + ",7," + std::to_string(value) +
               "),(" + std::to_string(time) + "," + type + ",8,99);");
    }
  }
  const Loaded loaded(made.write(), {}, {}, {col::kernels, col::properties});
  const PropertyTable* properties = loaded.report().properties;
  for (std::size_t p = 0; properties != nullptr && p < properties->rows; ++p) {
    if (properties->name[p].view() == "sms_active_percent") return std::string(properties->value[p].view());
  }
  return "";
}

TEST(GpuSamples, AreAveragedFromTheFirstKernelToTheLast) { EXPECT_EQ(sms_active({27}), "27"); }

TEST(GpuSamples, OfSeveralGpusTheOneWithMostCounts) { EXPECT_EQ(sms_active({3, 80, 10}), "80"); }

TEST(GpuSamples, WithoutSamplesNothingIsSaid) { EXPECT_EQ(sms_active({}), ""); }

}  // namespace gpu_samples_test
}  // namespace assay
