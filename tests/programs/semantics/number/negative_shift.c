// PROPERTY no-bad-shift
// EXPECT violated
volatile int n = -1;

int main(void) {
    int mine = n;
    return 8 >> mine; // VIOLATION
}
