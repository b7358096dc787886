// Texts with simple conversions, also of unknown numbers, are known to the engines.
// EXPECT proved
// NONDET 0..3
// UNWIND 24
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *argument) {
    int number = (int)(long)argument;
    char name[32];
    int length = snprintf(name, sizeof name, "worker-%d/%03u:%-4s|%c%%%lx", number, 7u, "ab", 'z', 255ul);
    assert(strcmp(name, number ? "worker-12/007:ab  |z%ff" : "worker-0/007:ab  |z%ff") == 0);
    assert(length == (int)strlen(name));
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)12);

    char small[4];
    assert(snprintf(small, sizeof small, "%.4s-%5s", "hello", "x") == 10);
    assert(strcmp(small, "hel") == 0);
    assert(snprintf(0, 0, "%d %lld", -2147483647 - 1, -9223372036854775807ll - 1) == 32);
    char mixed[16];
    assert(sprintf(mixed, "%X%o%-3d|", 0xBEu, 8u, 5) == 8 && strcmp(mixed, "BE105  |") == 0);

    int input = __VERIFIER_nondet_int();
    if (input >= 0 && input < 1000) {
        char digits[4];
        int length = sprintf(digits, "%d", input);
        assert(length <= 3 && digits[length] == 0);
        assert(digits[length - 1] - '0' == input % 10);
    }
    return 0;
}
