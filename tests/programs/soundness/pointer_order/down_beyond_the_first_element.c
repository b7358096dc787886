// PROPERTY valid-deref
// EXPECT violated
int numbers[4];

int main(void) {
    for (int *p = numbers + 3; p >= numbers - 1; p--) *p = 1; // VIOLATION
    return 0;
}
