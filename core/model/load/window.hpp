// Determines which rows belong to the measured part of the capture, and its iterations.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// The window and the membership of every row.
struct WindowMembership {
  Window window;
  std::string name;
  std::vector<std::uint8_t> calls, repeats;
  std::vector<Membership> kernels, graphs, copies, sets;
  std::int64_t unlinked = 0;  ///< rows assigned by their start alone
};

/// Error: a range of that name is missing and no fallback is set.
Result<WindowMembership> apply_window(const Profile::Store& store, const WindowSpec& spec, std::vector<Issue>& issues);

struct IterationRows {
  std::vector<std::int64_t> number, start, end;
  std::vector<std::uint32_t> thread;
  std::vector<std::uint8_t> overlapping;
  std::size_t left_out = 0;  ///< iterations with launches without kernels
};

/// Ranges that match the pattern and are inside the window on the host, sorted by start.
IterationRows find_iterations(const Profile::Store& store, const IterationSpec& spec, const Window& window);

/// Drops iterations with launches without kernels, unless that is all of them.
void drop_without_kernels(const Profile::Store& store, IterationRows& rows);

/// "; the nearest are 'train' and 'forward'", to end a sentence on a range name that the profile lacks; empty if it has
/// no ranges. `iterations`: names with one number are shown as names of iterations, 'step_{i}'.
std::string nearest_ranges(const Profile::Store& store, std::string_view name, bool iterations = false);

}  // namespace assay::load
