// Memory snapshots made of any bytes: read, or refused in a sentence; what is in use after each change is what the rows
// of the allocations say.
#include <cstdlib>
#include <vector>

#include "history.hpp"
#include "input_file.hpp"
#include "pickle.hpp"

namespace assay::fuzz_of_memory {

using namespace assay::memory_snapshot;

struct Columns {
  explicit Columns(const History& history)
      : cells(10, std::vector<std::int64_t>(history.allocation_rows())),
        context(history.allocation_rows()),
        changes(4, std::vector<std::int64_t>(history.change_rows())),
        device(history.change_rows()) {}
  std::vector<std::vector<std::int64_t>> cells;
  std::vector<std::uint32_t> context;
  std::vector<std::vector<std::int64_t>> changes;
  std::vector<std::int32_t> device;
};

void check(const Columns& c, std::size_t stacks) {
  const auto &begin = c.cells[0], &stack = c.cells[7], &by = c.cells[8], &freed = c.cells[9];
  const auto changes = static_cast<std::int64_t>(c.device.size());
  for (std::size_t a = 0; a < begin.size(); ++a) {
    if (stack[a] < 0 || static_cast<std::size_t>(stack[a]) >= stacks || by[a] < -1 || by[a] >= changes) std::abort();
    if (freed[a] < -1 || freed[a] >= changes || (freed[a] >= 0 && freed[a] <= by[a])) std::abort();
    if (a > 0 && begin[a] < begin[a - 1]) std::abort();
    if (by[a] >= 0 && c.changes[1][static_cast<std::size_t>(by[a])] != c.cells[3][a]) std::abort();
  }
}

extern "C" int memory_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& file = assay::fuzz::write_input({data, size});
  try {
    Snapshot snapshot = read_snapshot(file, std::size_t{64} << 20U);
    const std::size_t stacks = snapshot.stacks.size();
    History history(snapshot);
    Columns c(history);
    history.write({c.cells[0], c.cells[1], c.cells[2], c.cells[3], c.cells[4], c.cells[5], c.cells[6], c.cells[7],
                   c.context, c.cells[8], c.cells[9]},
                  {c.changes[0], c.device, c.changes[1], c.changes[2], c.changes[3]});
    check(c, stacks);
  } catch (const Refusal& refusal) {
    if (*refusal.what() == '\0') std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_memory
