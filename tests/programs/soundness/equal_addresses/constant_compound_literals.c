// EXPECT unknown
#include <assert.h>

int main(void)
{
    const char *one = (const char[]){"same"}, *other = "same";
    assert(one != other);
    return 0;
}
