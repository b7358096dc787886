// Unsigned numbers wrap, and narrow ones are promoted.
// PROPERTY no-overflow
// EXPECT proved
int main(void) {
    unsigned u = 4294967295u;
    u = u + 2;
    unsigned char c = 255;
    c = c + 1;
    signed char s = 127;
    s = s + 1;
    return (int)(u - 1) + c;
}
