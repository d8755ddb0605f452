// Why threads of the host waited, from what several tables say of them.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Fills the table `gil` from ranges that state it, unless the format did.
void add_gil(Profile::Store& store);

/// Completes `causes`: waits for the interpreter lock, blocked calls of the operating system, and rows of the format of
/// kind "scheduling". Each loses the time of API calls and of waits before it in this order, which say more. Ranges
/// are arranged, calls cleaned.
void add_host_waits(Profile::Store& store);

}  // namespace assay::load
