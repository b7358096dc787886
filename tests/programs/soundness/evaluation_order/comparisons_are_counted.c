// EXPECT violated
#include <assert.h>
#include <stdlib.h>

static int comparisons;
static int numbers[2] = {2, 1};

static int compare(const void *one, const void *other)
{
    comparisons = 1;
    return *(const int *)one - *(const int *)other;
}

static int sort(void)
{
    qsort(numbers, 2, sizeof numbers[0], compare);
    return 0;
}

int main(void)
{
    int sum = comparisons + sort();
    assert(sum == 0); // VIOLATION
    return 0;
}
