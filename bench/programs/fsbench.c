// Threads give blocks of a disk to inodes: each inode and each block has its own lock. Every thread has its own inode
// here, and blocks are tried one after the other. In the broken version there is one thread more than there are inodes.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 26
#endif
#define BLOCKS 26
#ifdef BROKEN
#define INODES (THREADS - 1)
#else
#define INODES THREADS
#endif

pthread_mutex_t inode_lock[INODES];
pthread_mutex_t block_lock[BLOCKS];
int inode[INODES];
_Bool busy[BLOCKS];

void *work(void *number)
{
    int i = (int)(long)number;
    assert(i < INODES);
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        for (int tried = 0, b = (i * 2) % BLOCKS; tried < BLOCKS; tried++, b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
        }
    }
    assert(inode[i] > 0);
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
