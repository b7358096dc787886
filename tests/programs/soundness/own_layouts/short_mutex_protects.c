// A mutex of four bytes, in a global: it protects.
// EXPECT proved
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_mutex_t;
typedef int pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);

pthread_mutex_t m;
int x;

void *worker(void *argument)
{
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	__VERIFIER_assert(x == 2);
	return 0;
}
