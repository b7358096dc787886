// A later initialiser of the same part counts, and a list for a whole part replaces all that was said about it.
// EXPECT proved
#include <assert.h>

struct bits { unsigned a : 3, b : 5; };
struct pair { int x, y; };

struct bits bits = {.a = 5, .a = 2, .b = 1};
struct pair replaced[2] = {[0] = {1, 2}, [0] = {3}};
struct pair changed[2] = {[0] = {1, 2}, [0].x = 3};
union { int *p; char c[8]; } both = {.p = &changed[0].x, .c = "abcdefg"};
char large[9000] = "hello";
char shorter[2][5000] = {[0] = "hello", [0] = "x"};
struct { struct pair p; int z; } flat[2] = {1, 2, 3, 4, 5, [0].z = 9, 7};

int main(void) {
    assert(bits.a == 2 && bits.b == 1);
    assert(replaced[0].x == 3 && replaced[0].y == 0);
    assert(changed[0].x == 3 && changed[0].y == 2);
    assert(both.c[0] == 'a' && both.c[6] == 'g');
    assert(large[4] == 'o' && large[5] == 0 && large[8999] == 0);
    assert(shorter[0][0] == 'x' && shorter[0][1] == 0 && shorter[0][4] == 0);
    assert(flat[0].z == 9 && flat[1].p.x == 7 && flat[1].p.y == 5);
    struct bits local_bits = {.a = 5, .a = 2, .b = 1};
    assert(local_bits.a == 2 && local_bits.b == 1);
    struct pair local[2] = {[0] = {1, 2}, [0] = {3}};
    assert(local[0].x == 3 && local[0].y == 0);
    char local_large[5000] = "hello";
    assert(local_large[4] == 'o' && local_large[5] == 0 && local_large[4999] == 0);
    return 0;
}
