// EXPECT unknown
#include <assert.h>

struct __attribute__((packed)) tight {
    char c;
    int i;
};
struct __attribute__((copy((struct tight *)0))) same {
    char c;
    int i;
};

int main(void)
{
    assert(sizeof(struct same) == 8);
    return 0;
}
