#include "assay/algo/distributions.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "assay/detail/beta.hpp"

namespace assay {

namespace detail {

double log_gamma(double x) {
  double shift = 0;
  while (x < 15) {
    shift -= std::log(x);
    x += 1;
  }
  const double r = 1 / (x * x);
  constexpr std::array series = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
  return shift + (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + polynomial(series, r) / x;
}

namespace {

// ln of the beta function.
double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

// Continued fraction of the incomplete beta function (modified Lentz), for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto off_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / off_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / off_zero(1 + even * d);
    c = off_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / off_zero(1 + odd * d);
    c = off_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

// Regularised incomplete beta function I_x(a, b). y = 1 - x is passed separately so that neither end loses digits;
// `ln_beta` = log_beta(a, b) so that a caller with many x computes it once.
double incomplete_beta(double a, double b, double x, double y, double ln_beta) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front = std::exp(a * std::log(x) + b * std::log(y) - ln_beta);
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

// P(T <= -t) for finite t >= 0 and df; `ln_beta` = log_beta(df / 2, 0.5).
double student_t_tail(double t, double df, double ln_beta) {
  return 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t), ln_beta);
}

// Density of the standard normal at x. x * x is split into two terms, the first of which is exact.
double normal_density(double x) {
  const auto head = static_cast<double>(static_cast<float>(x));
  return std::exp(-head * head / 2) * std::exp(-(x - head) * (x + head) / 2) / std::sqrt(2 * std::numbers::pi);
}

}  // namespace

}  // namespace detail

double normal_cdf(double x) {
  constexpr double kTail = 1.5;
  if (std::isnan(x)) return x;
  const double size = std::abs(x);
  if (size > kTail) {
    double below = size;
    for (int k = 150; k > 0; --k) below = size + k / below;
    const double tail = size > 39 ? 0 : detail::normal_density(size) / below;
    return x < 0 ? tail : 1 - tail;
  }
  double sum = x, term = x;
  for (int k = 3; k < 80; k += 2) {
    term *= x * x / k;
    sum += term;
  }
  return 0.5 + detail::normal_density(x) * sum;
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0 || p == 1)
    return p == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  constexpr std::array centre_above = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                       1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                       3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr std::array centre_below = {1.0,
                                       4.2313330701600911252e+1,
                                       6.8718700749205790830e+2,
                                       5.3941960214247511077e+3,
                                       2.1213794301586595867e+4,
                                       3.9307895800092710610e+4,
                                       2.8729085735721942674e+4,
                                       5.2264952788528545610e+3};
  constexpr std::array middle_above = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                       3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array middle_below = {1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9};
  constexpr std::array tail_above = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array tail_below = {1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * detail::polynomial(centre_above, r) / detail::polynomial(centre_below, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double tail = r <= 5 ? detail::polynomial(middle_above, r - 1.6) / detail::polynomial(middle_below, r - 1.6)
                             : detail::polynomial(tail_above, r - 5) / detail::polynomial(tail_below, r - 5);
  return q < 0 ? -tail : tail;
}

double beta_cdf(double x, double a, double b) {
  if (!(a > 0) || !(b > 0) || std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
  return detail::incomplete_beta(a, b, x, 1 - x, detail::log_beta(a, b));
}

double student_t_cdf(double t, double df) {
  if (std::isnan(t) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(df)) return normal_cdf(t);
  if (std::isinf(t)) return t < 0 ? 0 : 1;
  const double tail = detail::student_t_tail(std::abs(t), df, detail::log_beta(df / 2, 0.5));
  return t < 0 ? tail : 1 - tail;
}

double student_t_quantile(double p, double df) {
  if (!(p >= 0 && p <= 1) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  // Beyond this many degrees of freedom the normal differs from t by less than rounding, and the continued fraction is
  // slow.
  if (p == 0 || p == 1 || df > 1e10) return normal_quantile(p);
  if (p == 0.5) return 0;
  const bool upper = p > 0.5;
  const double tail = upper ? 1 - p : p;
  double lo = 0, hi = 1;  // quantile of -t: the lower tail keeps its digits
  const double ln_beta = detail::log_beta(df / 2, 0.5);
  const auto beyond = [&](double t) { return detail::student_t_tail(t, df, ln_beta); };
  while (beyond(hi) > tail && hi < 1e300) hi *= 2;
  for (int i = 0; i < 200 && hi - lo > 1e-15 * hi; ++i) {
    const double middle = lo + (hi - lo) / 2;
    (beyond(middle) > tail ? lo : hi) = middle;
  }
  const double t = lo + (hi - lo) / 2;
  return upper ? t : -t;
}

double median_variance(std::size_t n) {
  constexpr std::array exact = {1.0,      0.5,      0.448671, 0.298200, 0.286834,
                                0.214743, 0.210447, 0.168181, 0.166101, 0.138326};
  return n <= exact.size() ? exact[n - 1] : std::numbers::pi / (2 * static_cast<double>(n));
}

}  // namespace assay
