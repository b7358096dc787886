// A loop that runs downwards leaves its pointer just before the array, where it is less than the first element's address.
// PROPERTY valid-deref
// EXPECT proved
int numbers[4];

int main(void) {
    for (int *p = numbers + 3; p >= numbers; p--) *p = 1;
    return 0;
}
