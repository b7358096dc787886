// Both products are less than 2^32, and their sum is not.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

int numbers[4][4];

int main(void)
{
    int row = __VERIFIER_nondet_int() == 1 ? 0x0c000000 : 0;
    int column = row == 0 ? 0 : 0x10000000;
    numbers[row][column] = 1; // VIOLATION
    return 0;
}
