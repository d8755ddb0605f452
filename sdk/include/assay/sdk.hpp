// Everything an analyzer author needs. Depends on the standard library only.
#pragma once

#include "assay/abi.hpp"
#include "assay/algo/cells.hpp"
#include "assay/algo/contrast.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/pairs.hpp"
#include "assay/algo/participation.hpp"
#include "assay/algo/stats.hpp"
#include "assay/options.hpp"
#include "assay/output.hpp"
#include "assay/pair_outputs.hpp"
#include "assay/plot.hpp"
#include "assay/plugin.hpp"
#include "assay/report.hpp"
#include "assay/sheets.hpp"
#include "assay/study.hpp"
#include "assay/words.hpp"
