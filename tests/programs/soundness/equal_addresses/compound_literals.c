// EXPECT proved
#include <assert.h>

int main(void)
{
    char *one = (char[]){"same"};
    const char *constant = (const char[]){"same"}, *other = "same";
    assert((const char *)one != other && one != constant);
    assert(constant[0] == other[0]);
    return 0;
}
