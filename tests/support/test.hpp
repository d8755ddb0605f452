// What every test starts from: GoogleTest, what is asked of texts and ranges, a folder of the test's own, the program,
// real data, and the parts of the standard library that tests use most. All of it is precompiled.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/check.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/temp_folder.hpp"

namespace assay {
namespace fs = std::filesystem;
}  // namespace assay
