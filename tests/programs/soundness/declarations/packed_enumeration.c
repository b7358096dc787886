// EXPECT proved
#include <assert.h>

enum __attribute__((packed)) small { A, B, C };
enum __attribute__((packed)) middle { D = -1, E = 300 };
struct s {
    enum small x;
    char y;
};

int main(void)
{
    assert(sizeof(enum small) == 1 && sizeof(enum middle) == 2 && sizeof(struct s) == 2);
    return 0;
}
