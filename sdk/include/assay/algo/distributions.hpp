// Normal and Student t distributions. Own implementations, because the standard library lacks them, has a data race
// (lgamma), or differs in the last bits between arm64 and x86-64 (erfc, hypot).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

namespace assay {

namespace detail {

/// Value of a polynomial, constant term first.
constexpr double polynomial(std::span<const double> coefficients, double x) {
  double value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

/// ln Gamma(x) for x > 0: Stirling's series after shifting x beyond 15, to about 1e-15. `std::lgamma` writes a global.
double log_gamma(double x);

}  // namespace detail

/// P(Z <= x) of the standard normal, NaN for NaN; relative error below 6e-15: Laplace's continued fraction in the
/// tails, a series of odd powers between them.
double normal_cdf(double x);

/// Inverse of normal_cdf by AS 241, PPND16 (Wichura 1988), relative error about 1e-16. -inf at 0, inf at 1, NaN outside
/// 0..1.
double normal_quantile(double p);

/// sqrt(a^2 + b^2) for numbers whose squares neither overflow nor underflow.
inline double root_of_squares(double a, double b) { return std::sqrt(a * a + b * b); }

/// P(T <= t) of Student's t with `df` > 0 degrees of freedom (may be fractional; infinite: the normal distribution), by
/// the incomplete beta function. NaN if t is NaN or df is not positive.
double student_t_cdf(double t, double df);

/// Inverse of student_t_cdf: by bisection to the last bits; above 1e10 degrees of freedom normal_quantile. -inf at 0,
/// inf at 1, NaN unless 0 <= p <= 1 and df > 0.
double student_t_quantile(double p, double df);

/// Variance of the median of n >= 1 standard normal values: tabulated up to 10, then the asymptotic pi / (2 n).
double median_variance(std::size_t n);

}  // namespace assay
