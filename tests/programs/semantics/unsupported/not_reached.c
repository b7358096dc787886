// What is not supported matters only where an execution reaches it.
// EXPECT proved
#include <assert.h>

struct money {
    _Decimal64 amount;
};

int nested(int x) {
    int twice(int y) {
        return 2 * y + x;
    }
    return twice(x);
}

_Decimal64 decimal(_Decimal64 x) {
    return x * 1.5dd;
}

long double extended(long double x) {
    return x * 2;
}

void *computed(void) {
    void *there = &&label;
    goto *there;
label:
    return 0;
}

int main(void) {
    int x = 1;
    if (x == 2)
        return nested(x) + (decimal(1) > 0) + (extended(1) > 0) + (computed() != 0);
    assert(sizeof(struct money) == 8);
    return 0;
}
