// The statistics of samples, all of them. How effects between reports are measured and judged: contrast.hpp.
#pragma once

#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/bootstrap.hpp"
#include "assay/detail/multiplicity.hpp"
#include "assay/detail/random.hpp"
#include "assay/detail/ranks.hpp"
#include "assay/detail/resampled_runs.hpp"
