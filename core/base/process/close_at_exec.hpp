// What a program that is started must not find open.
#pragma once

namespace assay::process {

/// Marks every file that is open from descriptor `first` on to be closed by exec. Allocates nothing and throws nothing:
/// between fork and exec other threads may have held any lock.
void close_at_exec(int first);

}  // namespace assay::process
