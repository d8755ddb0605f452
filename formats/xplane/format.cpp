// Profiles of JAX and XLA: xplane.pb.
#include "assay/format.hpp"

#include <string>

#include "identity.hpp"
#include "mapped_file.hpp"
#include "read_profile.hpp"
#include "tables.hpp"

namespace assay::xplane {
namespace {

std::string damage_text(const Damage& damage, std::string_view bytes) {
  return "byte " + std::to_string(damage.at - bytes.data()) + " of " + std::to_string(bytes.size()) + " is in " +
         damage.what() + "; the file is cut off or damaged: copy it again";
}

}  // namespace

class XplaneFormat {
 public:
  static constexpr std::string_view kSummary =
      "Profiles of JAX and XLA (xplane.pb): kernels, copies, launches, ranges, steps and HLO operators.";
  static constexpr std::uint32_t kTraits = kTraitFramework;
  static constexpr Str kEnds[] = {".xplane.pb"}, kGlobs[] = {"**/*.xplane.pb"};
  static constexpr FileNames kNames = {.extensions = kEnds,
                                       .telling = kEnds,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "JAX profile",
                                       .expected = "profiles of JAX (.xplane.pb)"};
  static constexpr FormatPart kReads[] = {
      {"/device:GPU:N, Stream #N", "kernels, copies, sets"},
      {"/device:GPU:N", "devices"},
      {"/host:CPU", "calls, ranges, ops, overheads, allocations, threads"},
      {"/host:metadata, Task Environment", "properties"},
      {"Hlo Proto", "ops: modules, primitives and HLO operators with FLOPs and bytes; kernels.op"}};
  static constexpr FormatPart kPassesOver[] = {
      {"/device:TPU:N", "work of TPUs"}, {"XLA Ops, XLA Modules, Steps", "lines that viewers make of the streams"}};
  static constexpr ColumnId kFills[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_context,
                                        col::kernel_correlation,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_registers,
                                        col::kernel_shared,
                                        col::kernel_graph_node,
                                        col::kernel_occupancy,
                                        col::copies,
                                        col::copy_bytes,
                                        col::copy_direction,
                                        col::copy_context,
                                        col::copy_correlation,
                                        col::copy_memory_kinds,
                                        col::sets,
                                        col::set_bytes,
                                        col::set_context,
                                        col::set_correlation,
                                        col::calls,
                                        col::call_name,
                                        col::call_correlation,
                                        col::ranges,
                                        col::devices,
                                        col::overheads,
                                        col::overhead_name,
                                        col::kernel_op,
                                        col::op_external_id,
                                        col::op_python_ids,
                                        col::op_inputs,
                                        col::op_work,
                                        col::ops,
                                        col::allocations,
                                        col::properties,
                                        col::thread_names};

  static constexpr CaptureSpec kCaptures[] = {
      {"GPU work", "jax.profiler.start_trace(FOLDER) around steps that run on a GPU", col::kernels},
      {"counters of kernels",
       "ncu --set full -o NAME PROGRAM; the file joins this profile if it is next to it and has its name",
       col::profiled}};

  static bool sniff(const FormatFile& file) { return begins_like_a_space(file.head); }

  static void identify(const FormatFile& file, IdentitySink& out) {
    const MappedFile mapped(std::string(file.path.view()), false);
    identify_profile(read_headers(mapped.bytes()), std::string(file.path.view()), out);
  }

  static void load(const FormatRequest& file, Tables& out) {
    const MappedFile mapped(std::string(file.path.view()), true);
    try {
      Profile profile = read_profile(mapped.bytes(), file.threads);
      fill_tables(profile, out);
    } catch (const Damage& damage) {
      throw Refusal(damage_text(damage, mapped.bytes()));
    }
  }
};

ASSAY_FORMAT("xplane", "1.0.0", XplaneFormat);

}  // namespace assay::xplane
