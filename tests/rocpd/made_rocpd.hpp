// Small rocpd databases of every version of the schema, with a row or more in each table that is read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/made_export.hpp"

namespace assay {

/// All versions that were published (4.0 by a tool of AMD's that is not the profiler).
inline constexpr const char* kRocpdVersions[] = {"3.0.0", "3.0.1", "3.0.2", "3.0.3", "3.0.4", "4.0.0", "4.1.0"};

/// Names of two processes as the profiler makes them.
inline constexpr const char* kOne = "_00003fd6_c565_7565_938c_1314a3ac3a92";
inline constexpr const char* kTwo = "_00003fd7_0565_7565_938c_1314a3ac3a92";

class MadeRocpd {
 public:
  /// `environment`: what the program was started with, a JSON object.
  explicit MadeRocpd(std::string version, std::string environment = "{}")
      : version_(std::move(version)), environment_(std::move(environment)) {}

  /// The tables of a process, with the same ids in every one. Its times are `shift` later than those of the first.
  MadeRocpd& process(const std::string& uuid, std::int64_t pid, std::int64_t shift = 0);
  /// The same tables without a row of what happened.
  MadeRocpd& empty_process(const std::string& uuid, std::int64_t pid);
  /// Views over the tables of the first process, as an interrupted merge leaves them.
  MadeRocpd& views();
  MadeRocpd& add(const std::string& sql);
  /// Another environment, of the processes that come after.
  MadeRocpd& environment(std::string json);

  [[nodiscard]] std::filesystem::path write() const;

 private:
  struct Cell {
    std::string column, value;
  };
  [[nodiscard]] bool since(const char* version) const { return version_ >= version; }
  [[nodiscard]] bool tracks() const { return since("4.0.0"); }
  [[nodiscard]] bool spine() const { return version_ == "4.0.0"; }
  void tables(const std::string& uuid);
  void described(const std::string& uuid, std::int64_t pid);
  void happened(std::int64_t shift);
  void of_other_tables();
  void insert(const std::string& table, const std::vector<Cell>& cells);
  [[nodiscard]] std::vector<Cell> placed(std::int64_t start, std::int64_t end, bool on_gpu, std::vector<Cell> cells);

  std::string version_, environment_, suffix_, first_, sql_;
  std::vector<std::string> words_;
  std::int64_t stamps_ = 0;
  TempFolder folder_;
};

/// The environment of a run that traced everything.
std::string all_traced();

}  // namespace assay
