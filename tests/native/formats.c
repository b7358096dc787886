// Conversions of printf on what threads made, signed and unsigned, of all widths.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

unsigned shared = 0xfffffff0u;
signed char small = 120;

void *add(void *arg) {
    unsigned seen = shared;
    SHAKE();
    shared = seen + 0x11;
    small = (signed char)(small + 5);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%u %d %#x %o|%5u|%-5u|%05u\n", shared, (int)shared, shared, shared, shared, shared, shared);
    printf("%d %hhu %hd %ld %lu %c %%\n", small, (unsigned char)small, (short)(small * 1000), (long)small - 200, (unsigned long)shared,
           'a' + small % 20);
    printf("%+d %lld %llx %.3d [%3s] [%-6.2s]\n", small, (long long)shared << 33, (unsigned long long)shared << 20, small % 10,
           "no", "yes");
    return 0;
}
