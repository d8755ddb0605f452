#include "good.hpp"

ASSAY_PLUGIN(GOOD_ID, "1.0.0", good::Good);
