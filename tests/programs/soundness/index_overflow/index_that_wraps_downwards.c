// PROPERTY valid-deref
// EXPECT violated
int numbers[4];

int main(void)
{
    long index = 1L << 62;
    *(numbers + 2 - index) = 1; // VIOLATION
    return 0;
}
