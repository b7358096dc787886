// PROPERTY no-bad-shift
// EXPECT violated
struct fields { int field : 4; };

struct fields fields = {-3};

int main(void)
{
    fields.field <<= 0; // VIOLATION
    return 0;
}
