// Includes all statistics of samples. For effects between reports and verdicts see contrast.hpp.
#pragma once

#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/bootstrap.hpp"
#include "assay/detail/multiplicity.hpp"
#include "assay/detail/random.hpp"
#include "assay/detail/ranks.hpp"
#include "assay/detail/resampled_runs.hpp"
