// EXPECT violated
#include <assert.h>

enum __attribute__((packed)) small { A, B = 200 };

int main(void)
{
    enum small x = B;
    x += 100;
    assert(x == 300); // VIOLATION
    return 0;
}
