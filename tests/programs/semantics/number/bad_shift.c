// PROPERTY no-bad-shift
// EXPECT violated
volatile int n = 32;

int main(void) {
    int mine = n;
    return 1 << mine; // VIOLATION
}
