// Splits the time of a step: each instant counts for the first category that covers it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/algo/steps.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::step {

enum Category : std::size_t {
  kKernel,
  kMemcpy,
  kMemset,
  kCommunication,
  kRuntime,
  kDataLoader,
  kCpuExec,
  kOther,  ///< none of the above
};
inline constexpr std::size_t kCategories = 8;

/// Values of the dim "category", by Category.
inline constexpr std::array<std::string_view, kCategories> kCategoryNames = {
    "kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu_exec", "other"};
/// Headings for people, by Category.
inline constexpr std::array<std::string_view, kCategories> kCategoryTitles = {
    "Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other"};

/// ns of a step by Category; they sum to its time.
using Parts = std::array<std::int64_t, kCategories>;

/// One element a step; those of one process follow each other, sorted and disjoint. Linear in the events of the report
/// for each process that has steps, without memory of its own.
std::vector<Parts> split_steps(const Report& report, std::span<const Step> steps, Names& names);

}  // namespace assay::step
