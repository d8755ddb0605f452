// The statistics of samples, all of them. How effects between reports are measured and judged: contrast.hpp.
#pragma once

#include "assay/algo/bootstrap.hpp"
#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/multiplicity.hpp"
#include "assay/algo/random.hpp"
#include "assay/algo/ranks.hpp"
#include "assay/algo/resampled_runs.hpp"
#include "assay/algo/summary.hpp"
