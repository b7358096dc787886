// EXPECT unknown
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        n++;
    assert(n == 2);
    return 0;
}
