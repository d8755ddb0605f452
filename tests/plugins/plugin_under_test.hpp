// The analyzer that the test program links, as the SDK runs it.
#pragma once

#include "assay/testing/plugin_under_test.hpp"
