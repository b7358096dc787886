// PROPERTY no-bad-shift
// EXPECT proved
unsigned positive = 1;
int negative = -1;

int main(void) { return (positive << 0) + (negative >> 0); }
