// PROPERTY no-bad-shift
// EXPECT proved
volatile int n = 31;

int main(void) {
    int mine = n;
    return (1u << mine) != 0;
}
