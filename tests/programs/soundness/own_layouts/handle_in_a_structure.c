// A thread handle that is a structure of the program's own holds nothing that is known here.
// EXPECT unknown
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);

int x;

void *worker(void *argument)
{
	x = 1;
	return argument;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, worker, 0);
	pthread_join(a, 0);
	__VERIFIER_assert(x == 1);
	return 0;
}
