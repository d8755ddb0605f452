// Traces of CUDA graph captures, which servers write next to the traces of their steps.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay {

/// Folder in which servers put them.
inline constexpr std::string_view kCaptureFolder = "capture_traces";

/// Whether a file is a capture trace by name: in such a folder, or "graph_capture_rank_0.*", "bs_32_rank0.*",
/// "capture_32_FULL.*".
bool named_like_graph_capture(const std::filesystem::path& file);

/// Folder of the runs that a capture belongs to: its own, or the parent of a captures folder.
std::filesystem::path folder_of_replays(const std::filesystem::path& capture);

}  // namespace assay
