// Nobody to race with.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

int main(void) {
    x = 1; // NORACE
    return x;
}
