// One element behind the end of an array, if it is as large as can be: more than anybody executes.
// PROPERTY valid-deref
// EXPECT never-proved
// TREES unknown objects of 4 GB
// OPTION ilp32
extern void *malloc(unsigned size);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 0x3fffffff)
        abort();
    char *bytes = malloc(count * sizeof(int));
    int *items = (int *)bytes;
    if (count > 0)
        items[count == 0x3fffffff ? count : count - 1] = 1;
    return 0;
}
