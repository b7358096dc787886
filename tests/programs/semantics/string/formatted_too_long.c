// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>

char text[4];
volatile int n = 1000;

int main(void) {
    snprintf(text, sizeof text, "%d", n);
    sprintf(text, "%d", n); // VIOLATION
    return 0;
}
