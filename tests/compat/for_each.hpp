// COMPAT_FOR_EACH(macro, fixed, a, b, ...): macro(fixed, a) macro(fixed, b) ..., for up to 60 names.
#pragma once

#define COMPAT_PARENS ()
#define COMPAT_EXPAND(...) COMPAT_EXPAND_3(COMPAT_EXPAND_3(COMPAT_EXPAND_3(COMPAT_EXPAND_3(__VA_ARGS__))))
#define COMPAT_EXPAND_3(...) COMPAT_EXPAND_2(COMPAT_EXPAND_2(COMPAT_EXPAND_2(COMPAT_EXPAND_2(__VA_ARGS__))))
#define COMPAT_EXPAND_2(...) COMPAT_EXPAND_1(COMPAT_EXPAND_1(COMPAT_EXPAND_1(COMPAT_EXPAND_1(__VA_ARGS__))))
#define COMPAT_EXPAND_1(...) __VA_ARGS__
#define COMPAT_FOR_EACH(macro, fixed, ...) __VA_OPT__(COMPAT_EXPAND(COMPAT_FOR_EACH_STEP(macro, fixed, __VA_ARGS__)))
#define COMPAT_FOR_EACH_STEP(macro, fixed, first, ...) \
  macro(fixed, first) __VA_OPT__(COMPAT_FOR_EACH_AGAIN COMPAT_PARENS(macro, fixed, __VA_ARGS__))
#define COMPAT_FOR_EACH_AGAIN() COMPAT_FOR_EACH_STEP
