// Traces of the capture of CUDA graphs, which servers write beside the traces of their steps.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay {

/// The folder in which servers put them.
inline constexpr std::string_view kCaptureFolder = "capture_traces";

/// Whether a file is a trace of a capture by its name: in such a folder, or "graph_capture_rank_0.*", "bs_32_rank0.*",
/// "capture_32_FULL.*".
bool named_like_graph_capture(const std::filesystem::path& file);

/// The folder of the runs that a capture belongs to: its own, or that around a folder of captures.
std::filesystem::path folder_of_replays(const std::filesystem::path& capture);

}  // namespace assay
