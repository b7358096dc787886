// A left shift of a negative number is a bad shift and nothing else; it has a result.
// PROPERTY no-overflow
// EXPECT proved
int main(void) {
    int x = -3;
    return x << 2;
}
