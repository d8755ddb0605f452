// Blocks that were recorded on their own, each on one GPU of some node, made one recording.
#pragma once

#include <filesystem>
#include <string>

#include "record/recorder.hpp"

namespace assay::record {

/// The newest recording below BLOCKS/K that holds the whole block K; empty: there is none. Error (exit 2): a journal
/// there is damaged, so that it is not known.
Result<std::filesystem::path> recorded_block(const std::filesystem::path& blocks, std::size_t block);

/// The GPUs that a process of this environment sees, by their ids where the driver tells: of CUDA_VISIBLE_DEVICES, or
/// all.
std::vector<std::string> visible_gpus(const Conditions& conditions);

/// Puts the blocks of the design, which stand in BLOCKS/1, BLOCKS/2, ..., into a new recording below `root`, and gives
/// its folder; reports are not copied where the file system can link them. The same blocks are joined once. Errors: a
/// block is missing (exit 2); blocks were recorded of other programs, drivers, kinds of GPU or environments, or cannot
/// be written (exit 3).
Result<std::filesystem::path> join_blocks(const Design& design, const std::filesystem::path& blocks,
                                          const std::filesystem::path& root, const std::string& version);

}  // namespace assay::record
