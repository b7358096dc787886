// A pointer is checked and then used; another thread takes it away in between. With FIXED the check and the use are under
// the lock that the other thread takes, too.
#include <pthread.h>

struct record { int value; };
struct record first = { 1 };
struct record *current = &first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int reads, total;

void gordian_atomic_begin(void) {}
void gordian_atomic_end(void) {}

void *user(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    gordian_atomic_begin();
    int is_there = current != 0;
    if (is_there) {
        struct record *record = current;
        if (record)
            total = record->value;
    }
    gordian_atomic_end();
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}

void *cleaner(void *unused)
{
    pthread_mutex_lock(&lock);
    reads++;
    current = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, cleaner, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
