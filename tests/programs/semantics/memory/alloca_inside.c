// PROPERTY valid-memcleanup
// EXPECT proved
#include <alloca.h>

int main(void) {
    char *p = alloca(4);
    p[3] = 1;
    return p[3] - 1;
}
