// What torch.compile did while the program waited, as causes of idle time.
#pragma once

#include <string>
#include <vector>

#include "formats/columns/row_writer.hpp"

namespace assay::load {

class CompileCauses {
 public:
  explicit CompileCauses(TableSink& out) : out_(out) {}
  /// An operator: one that compiles a frame or tries configurations of a Triton kernel is a cause.
  void add_op(std::string_view name, std::int64_t start, std::int64_t end, std::uint32_t thread);
  /// An annotation: "entire_frame_compile_data: fn_name=..., compile_id=0/1" says which frame is compiled around it.
  void add_range(std::string_view name, std::int64_t start, std::int64_t end);
  /// Names the causes.
  void finish();

 private:
  struct FrameId {
    std::int64_t start, end;
    std::string id;  ///< "0/1"
  };
  TableSink& out_;
  formats::RowWriter<CauseTable> causes_{out_, col::causes};  ///< name 0: compiles a frame
  std::vector<FrameId> compiled_;
};

}  // namespace assay::load
