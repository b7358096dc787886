// Square roots, remainders and what rounds are exact; numbers as text are, up to 15 digits.
// EXPECT proved
// UNWIND 64
#include <math.h>
#include <stdlib.h>
#include <assert.h>

int main(void) {
    assert(sqrt(2.25) == 1.5 && floor(-0.5) == -1.0 && ceil(0.5) == 1.0 && round(2.5) == 3.0);
    assert(fmod(7.5, 2.0) == 1.5 && pow(2.0, 10.0) == 1024.0 && fmax(1.0, 2.0) == 2.0);
    assert(strtod("-12.5e1", 0) == -125.0 && atof("0.1") == 0.1);
    assert(sin(1.0) > 0.8414 && sin(1.0) < 0.8415 && exp(0.0) == 1.0 && log(1.0) == 0.0);
    return 0;
}
