// The beta distribution: the share of a sum of squares explained by chance.
#pragma once

namespace assay {

/// P(B <= x) of the beta distribution with parameters a, b > 0: the regularized incomplete beta function. NaN unless
/// both are positive.
double beta_cdf(double x, double a, double b);

}  // namespace assay
