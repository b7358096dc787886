// The program's own initialiser means what the program's own library makes of it: the answer is not known.
// PROPERTY lock-misuse
// EXPECT unknown
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_mutex_t;
typedef int pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);

pthread_mutex_t m = {1};

int main(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
