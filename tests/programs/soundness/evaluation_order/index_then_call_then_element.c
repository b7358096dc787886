// EXPECT violated
#include <assert.h>

static int index_;
static int numbers[2] = {5, 6};

static int change(void)
{
    index_ = 1;
    numbers[0] = 9;
    return 0;
}

int main(void)
{
    int sum = numbers[index_] + change();
    assert(sum == 5 || sum == 6); // VIOLATION
    return 0;
}
