// Joins blocks that were recorded separately, each on one GPU of some node, into one recording.
#pragma once

#include <filesystem>
#include <string>

#include "record/recorder.hpp"

namespace assay::record {

/// Newest recording below BLOCKS/K that contains the whole block K; empty: there is none. Error (exit 2): a journal is
/// damaged, so that it is unknown.
Result<std::filesystem::path> recorded_block(const std::filesystem::path& blocks, std::size_t block);

/// GPUs visible to a process with this environment, by id if the driver reports it: those of CUDA_VISIBLE_DEVICES, or
/// all.
std::vector<std::string> visible_gpus(const Conditions& conditions);

/// Joins the blocks of the design, in BLOCKS/1, BLOCKS/2, ..., into a new recording below `root`, and returns its
/// folder; links reports instead of copying if possible. Joins the same blocks only once. Errors: a block is missing
/// (exit 2); blocks differ in programs, drivers, kinds of GPU or environment, or cannot be written (exit 3).
Result<std::filesystem::path> join_blocks(const Design& design, const std::filesystem::path& blocks,
                                          const std::filesystem::path& root, const std::string& version);

}  // namespace assay::record
