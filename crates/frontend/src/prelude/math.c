/* Mathematical functions. `sqrt`, `fmod` and what rounds are exact; the others are right up to a few units in the last place,
   which C leaves to the implementation (`pow` up to about a hundred), and may differ there from a system's library. */
static unsigned long long __gordian_bits_of(double x)
{
    union {
        double number;
        unsigned long long bits;
    } both;
    both.number = x;
    return both.bits;
}

static double __gordian_of_bits(unsigned long long bits)
{
    union {
        double number;
        unsigned long long bits;
    } both;
    both.bits = bits;
    return both.number;
}

static int __gordian_is_finite(double x) { return x - x == 0.0; }
static double __gordian_no_number(void) { return __gordian_of_bits(0x7ff8000000000000ull); }
static int __gordian_is_negative(double x) { return (int)(__gordian_bits_of(x) >> 63); }

/* Errors of the domain (33) and of the range (34), as glibc reports them. */
static double __gordian_domain_error(void)
{
    *__errno_location() = 33;
    return __gordian_no_number();
}

static double __gordian_range_error(double result)
{
    *__errno_location() = 34;
    return result;
}

/* The result for finite arguments that are not zero. Whether a result of few digits is an error is not said. */
static double __gordian_in_range(double result)
{
    double magnitude = result < 0 ? -result : result;
    if (result == 0.0 || result - result != 0.0)
        return __gordian_range_error(result);
    if (magnitude < 2.2250738585072014e-308 && __gordian_choice() != 0)
        return __gordian_range_error(result);
    return result;
}

static double __gordian_infinite(int negative) { return __gordian_of_bits(negative ? 0xfff0000000000000ull : 0x7ff0000000000000ull); }

/* Towards zero. From 2^52 on there are no fractions. */
double trunc(double x)
{
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0))
        return x;
    double whole = (double)(long long)x;
    return whole == 0.0 && (__gordian_bits_of(x) >> 63) ? -0.0 : whole;
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1.0 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    return whole < x ? (whole == -1.0 ? -0.0 : whole + 1.0) : whole;
}

double round(double x)
{
    double whole = trunc(x);
    if (x - whole >= 0.5)
        return whole + 1.0;
    return x - whole <= -0.5 ? whole - 1.0 : whole;
}

long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
double fmax(double x, double y) { return x != x || x < y ? y : x; }
double fmin(double x, double y) { return x != x || x > y ? y : x; }

/* The exponent and, in *mantissa, 53 bits of a positive finite number. */
static int __gordian_split(double x, unsigned long long *mantissa)
{
    unsigned long long bits = __gordian_bits_of(x);
    int exponent = (int)(bits >> 52 & 2047);
    *mantissa = bits & 0xfffffffffffffull;
    if (exponent > 0) {
        *mantissa |= 0x10000000000000ull;
        return exponent - 1075;
    }
    exponent = -1074;
    while (*mantissa < 0x10000000000000ull) {
        *mantissa = *mantissa << 1;
        exponent--;
    }
    return exponent;
}

/* Times a power of two. Only the last factor rounds: where an earlier one would, nothing is left of the number in the end. */
static double __gordian_scaled(double x, int power)
{
    for (int i = 0; i < 2 && power > 1023; i++) {
        x *= __gordian_of_bits(2046ull << 52);
        power -= 1023;
    }
    for (int i = 0; i < 2 && power < -1022; i++) {
        x *= __gordian_of_bits(54ull << 52);
        power += 969;
    }
    power = power > 1023 ? 1023 : power < -1022 ? -1022 : power;
    return x * __gordian_of_bits((unsigned long long)(power + 1023) << 52);
}

double ldexp(double x, int power)
{
    if (x == 0.0 || !__gordian_is_finite(x))
        return x;
    return __gordian_in_range(__gordian_scaled(x, power));
}

/* Digit by digit, in base two; one digit more decides the rounding, and there is never a tie. */
double sqrt(double x)
{
    if (x == 0.0 || x != x || x == __gordian_infinite(0))
        return x;
    if (x < 0.0)
        return __gordian_domain_error();
    unsigned long long mantissa, root = 0, rest = 0;
    int exponent = __gordian_split(x, &mantissa);
    if (exponent & 1) {
        mantissa = mantissa << 1;
        exponent--;
    }
    for (int i = 0; i < 54; i++) {
        int shift = 52 - 2 * i;
        rest = rest << 2 | (shift >= 0 ? mantissa >> shift & 3 : 0);
        unsigned long long trial = root << 2 | 1;
        root = root << 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return __gordian_scaled((double)((root >> 1) + (root & 1)), (exponent - 52) / 2);
}

double fmod(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (x != x || y != y)
        return __gordian_no_number();
    if (b == 0.0 || !__gordian_is_finite(x))
        return __gordian_domain_error();
    if (a < b)
        return x;
    unsigned long long left, right;
    int high = __gordian_split(a, &left), low = __gordian_split(b, &right);
    for (; high > low; high--) {
        if (left >= right)
            left -= right;
        left = left << 1;
    }
    if (left >= right)
        left -= right;
    double rest = __gordian_scaled((double)left, low);
    return __gordian_bits_of(x) >> 63 ? -rest : rest;
}

/* Of a finite number; what is too large or too small becomes infinite or zero. */
static double __gordian_exp(double x)
{
    if (x > 709.79)
        return __gordian_infinite(0);
    if (x < -745.2)
        return 0.0;
    double power = floor(x * 1.4426950408889634 + 0.5);
    double r = (x - power * 0.693147180369123816490) - power * 1.90821492927058770002e-10;
    double sum = 1.0;
    for (int i = 17; i > 0; i--)
        sum = 1.0 + sum * r / (double)i;
    return __gordian_scaled(sum, (int)power);
}

double exp(double x)
{
    if (!__gordian_is_finite(x))
        return x < 0.0 ? 0.0 : x;
    return __gordian_in_range(__gordian_exp(x));
}

/* The logarithm of 1 <= 2 m < 2, by its series in (m - 1) / (m + 1). */
static double __gordian_log_mantissa(double m)
{
    double f = (m - 1.0) / (m + 1.0), square = f * f, sum = 0.0;
    for (int i = 23; i > 1; i -= 2)
        sum = (sum + 1.0 / (double)i) * square;
    return 2.0 * (f + f * sum);
}

static double __gordian_frexp(double x, int *power)
{
    unsigned long long mantissa;
    *power = __gordian_split(x, &mantissa) + 53;
    double m = __gordian_scaled((double)mantissa, -53);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        *power = *power - 1;
    }
    return m;
}

static int __gordian_has_logarithm(double x) { return x > 0.0 && __gordian_is_finite(x); }
static double __gordian_no_logarithm(double x)
{
    if (x == 0.0)
        return __gordian_range_error(__gordian_infinite(1));
    return x < 0.0 ? __gordian_domain_error() : x;
}

double log(double x)
{
    int power;
    if (!__gordian_has_logarithm(x))
        return __gordian_no_logarithm(x);
    double m = __gordian_frexp(x, &power);
    return (double)power * 0.693147180369123816490 + ((double)power * 1.90821492927058770002e-10 + __gordian_log_mantissa(m));
}

double log2(double x)
{
    int power;
    if (!__gordian_has_logarithm(x))
        return __gordian_no_logarithm(x);
    double m = __gordian_frexp(x, &power);
    return (double)power + __gordian_log_mantissa(m) * 1.4426950408889634;
}

static double __gordian_natural_power(double x, unsigned long long n)
{
    double result = 1.0;
    for (unsigned long long left = n; left > 0; left = left >> 1) {
        if (left & 1)
            result *= x;
        x *= x;
    }
    return result;
}

/* A reciprocal has its digits where the power itself is too large. */
static double __gordian_whole_power(double x, long long n)
{
    unsigned long long magnitude = n < 0 ? -(unsigned long long)n : (unsigned long long)n;
    double result = __gordian_natural_power(x, magnitude);
    if (n >= 0)
        return result;
    if (__gordian_is_finite(result))
        return 1.0 / result;
    return 1.0 / __gordian_natural_power(x, magnitude / 2) / __gordian_natural_power(x, magnitude - magnitude / 2);
}

double log10(double x)
{
    double value = log(x) * 0.43429448190325182765;
    double whole = round(value);
    return whole >= 0.0 && whole < 23.0 && __gordian_whole_power(10.0, (long long)whole) == x ? whole : value;
}

/* Powers of zero and of what is infinite, and powers that are infinite; `odd`: the sign of x counts. */
static double __gordian_power_at_edge(double x, double y, int odd)
{
    double size = fabs(x);
    int grows = size > 1.0 ? y > 0.0 : y < 0.0;
    double result = grows ? __gordian_infinite(0) : 0.0;
    if (size == 1.0)
        return 1.0;
    if (odd && __gordian_is_negative(x))
        result = -result;
    return size == 0.0 && y < 0.0 && __gordian_is_finite(y) ? __gordian_range_error(result) : result;
}

double pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return __gordian_no_number();
    int whole = y == trunc(y), odd = whole && fabs(y) < 9007199254740992.0 && fmod(y, 2.0) != 0.0;
    if (x == 0.0 || !__gordian_is_finite(x) || !__gordian_is_finite(y))
        return __gordian_power_at_edge(x, y, odd);
    if (x < 0.0 && !whole)
        return __gordian_domain_error();
    if (x == -1.0)
        return odd ? -1.0 : 1.0;
    if (whole && fabs(y) <= 1024.0)
        return __gordian_in_range(__gordian_whole_power(x, (long long)y));
    if (y == 0.5)
        return sqrt(x);
    double result = __gordian_exp(y * log(fabs(x)));
    return __gordian_in_range(x < 0.0 && odd ? -result : result);
}

double cbrt(double x)
{
    if (x == 0.0 || !__gordian_is_finite(x))
        return x;
    double root = x < 0.0 ? -__gordian_exp(log(-x) / 3.0) : __gordian_exp(log(x) / 3.0);
    return root - (root - x / (root * root)) / 3.0;
}

/* The squares must be neither too large nor too small. */
double hypot(double x, double y)
{
    double large = fabs(x), small = fabs(y);
    if (large == __gordian_infinite(0) || small == __gordian_infinite(0))
        return __gordian_infinite(0);
    if (large < small) {
        double other = large;
        large = small;
        small = other;
    }
    if (large != large || small != small || small == 0.0)
        return large + small;
    if (large > 1e150) {
        large = __gordian_scaled(large, -600);
        small = __gordian_scaled(small, -600);
        return __gordian_in_range(__gordian_scaled(sqrt(large * large + small * small), 600));
    }
    if (large < 1e-100) {
        large = __gordian_scaled(large, 600);
        small = __gordian_scaled(small, 600);
        return __gordian_in_range(__gordian_scaled(sqrt(large * large + small * small), -600));
    }
    return sqrt(large * large + small * small);
}

/* Sine and cosine of an angle of at most an eighth of a turn. */
static double __gordian_small_sine(double x)
{
    double sum = 1.0;
    for (int i = 20; i > 1; i -= 2)
        sum = 1.0 - sum * x * x / (double)(i * (i + 1));
    return x * sum;
}

static double __gordian_small_cosine(double x)
{
    double sum = 1.0;
    for (int i = 20; i > 0; i -= 2)
        sum = 1.0 - sum * x * x / (double)(i * (i - 1));
    return sum;
}

/* The sine of x plus so many quarters of a turn. */
static double __gordian_sine(double x, long long quarters)
{
    if (x != x)
        return x;
    if (!__gordian_is_finite(x))
        return __gordian_domain_error();
    if (fabs(x) > 1e6)
        __gordian_unsupported("the sine of so large an angle");
    double turns = floor(x * 0.63661977236758134308 + 0.5);
    double r = ((x - turns * 1.57079632673412561417) - turns * 6.07710050630396597660e-11) - turns * 2.02226624879595063154e-21;
    long long quarter = ((long long)turns + quarters) & 3;
    double value = quarter & 1 ? __gordian_small_cosine(r) : __gordian_small_sine(r);
    return quarter & 2 ? -value : value;
}

double sin(double x) { return __gordian_sine(x, 0); }
double cos(double x) { return __gordian_sine(x, 1); }
double tan(double x) { return sin(x) / cos(x); }

double atan(double x)
{
    if (x != x || x == 0.0)
        return x;
    if (x < 0.0)
        return -atan(-x);
    if (x > 1.0)
        return 1.57079632679489661923 - atan(1.0 / x);
    if (x > 0.41421356237309505)
        return 0.78539816339744830962 + atan((x - 1.0) / (x + 1.0));
    double square = x * x, sum = 0.0;
    for (int i = 43; i > 1; i -= 2)
        sum = (1.0 / (double)i - sum) * square;
    return x - x * sum;
}

/* Of a number that is not negative; the sign of y is that of the result. */
static double __gordian_angle(double y, double x)
{
    int backwards = __gordian_is_negative(x);
    double size = fabs(x);
    if (y == 0.0)
        return backwards ? 3.14159265358979323846 : 0.0;
    if (y == __gordian_infinite(0) && size == y)
        return backwards ? 2.35619449019234492885 : 0.78539816339744830962;
    double angle = size == 0.0 ? 1.57079632679489661923 : atan(y / size);
    if (backwards && size != 0.0)
        return 3.14159265358979323846 - angle;
    return __gordian_is_finite(size) ? __gordian_in_range(angle) : angle;
}

double atan2(double y, double x)
{
    if (x != x || y != y)
        return __gordian_no_number();
    return __gordian_is_negative(y) ? -__gordian_angle(-y, x) : __gordian_angle(y, x);
}

double asin(double x) { return x < -1.0 || x > 1.0 ? __gordian_domain_error() : atan2(x, sqrt(1.0 - x * x)); }
double acos(double x) { return x < -1.0 || x > 1.0 ? __gordian_domain_error() : atan2(sqrt(1.0 - x * x), x); }

/* A result that a float cannot hold is out of range. */
static float __gordian_narrow(double x)
{
    float narrow = (float)x;
    if (x - x == 0.0 && x != 0.0 && (narrow == 0.0f || narrow - narrow != 0.0f))
        __gordian_range_error(x);
    return narrow;
}

float sqrtf(float x) { return (float)sqrt((double)x); }
float floorf(float x) { return (float)floor((double)x); }
float ceilf(float x) { return (float)ceil((double)x); }
float roundf(float x) { return (float)round((double)x); }
float fmaxf(float x, float y) { return (float)fmax((double)x, (double)y); }
float fminf(float x, float y) { return (float)fmin((double)x, (double)y); }
float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
float expf(float x) { return __gordian_narrow(exp((double)x)); }
float logf(float x) { return (float)log((double)x); }
float powf(float x, float y) { return __gordian_narrow(pow((double)x, (double)y)); }
float sinf(float x) { return (float)sin((double)x); }
float cosf(float x) { return (float)cos((double)x); }
