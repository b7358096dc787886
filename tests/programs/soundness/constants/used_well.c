// Constants are initialised, in a loop anew, and read through every kind of pointer.
// PROPERTY valid-deref
// EXPECT proved
#include <string.h>

struct pair {
    int a;
    const char *name;
};

static const struct pair table[] = { { 1, "one" }, { 2, "two" } };

static int sum(const int *p, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += p[i];
    return all;
}

int main(void)
{
    int all = 0;
    for (int i = 0; i < 2; i++) {
        const int numbers[] = { i, i + 1, 7 };
        const struct pair copy = table[i];
        all += sum(numbers, 3) + copy.a;
        const int *p = &numbers[i];
        all += *p + ((const unsigned char *)&copy)[0];
    }
    const int k = all;
    const int *const q = &k;
    int *written = (int *)(void *)&all;
    *written = *q;
    return 0;
}
