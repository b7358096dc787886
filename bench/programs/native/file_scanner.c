// Counts lines, words and longest words of files: a reader puts the lines into a bounded queue, scanners take them.
//
// The bug: with BROKEN (the default; -D BROKEN=0 repairs it) a scanner adds what it has counted to the totals in two
// critical sections, one to look and one to store. What another scanner adds in between is lost. There is no data race.
//
// Usage: file_scanner [FILE...]     without FILE: standard input
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BROKEN
#define BROKEN 1
#endif
#ifndef SCANNERS
#define SCANNERS 2
#endif

#define QUEUE_SIZE 4
#define LINE_SIZE 128
#define TOP_WORDS 8
#define WORD_SIZE 24

// ---------------------------------------------------------------------------------------------------------------------
// Lines, and the queue of them

struct line {
    const char *file;
    int number;
    char *text;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct line *slots[QUEUE_SIZE];
    int first;
    int count;
    int closed;
};

static void queue_init(struct queue *queue)
{
    memset(queue, 0, sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    pthread_cond_init(&queue->not_full, NULL);
}

static void queue_put(struct queue *queue, struct line *line)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == QUEUE_SIZE)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    queue->slots[(queue->first + queue->count) % QUEUE_SIZE] = line;
    queue->count++;
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

// The next line, or null when there will be no more.
static struct line *queue_take(struct queue *queue)
{
    struct line *line = NULL;
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0 && !queue->closed)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    if (queue->count > 0) {
        line = queue->slots[queue->first];
        queue->first = (queue->first + 1) % QUEUE_SIZE;
        queue->count--;
        pthread_cond_signal(&queue->not_full);
    }
    pthread_mutex_unlock(&queue->lock);
    return line;
}

static void queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = 1;
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

static void queue_destroy(struct queue *queue)
{
    pthread_cond_destroy(&queue->not_full);
    pthread_cond_destroy(&queue->not_empty);
    pthread_mutex_destroy(&queue->lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is counted

struct counts {
    long lines;
    long words;
    long letters;
};

static struct counts totals;
static pthread_mutex_t totals_lock = PTHREAD_MUTEX_INITIALIZER;

static struct counts totals_now(void)
{
    pthread_mutex_lock(&totals_lock);
    struct counts now = totals;
    pthread_mutex_unlock(&totals_lock);
    return now;
}

#if BROKEN
static void totals_set(struct counts counts)
{
    pthread_mutex_lock(&totals_lock);
    totals = counts;
    pthread_mutex_unlock(&totals_lock);
}

static void totals_add(struct counts counts)
{
    struct counts sum = totals_now();
    sum.lines += counts.lines;
    sum.words += counts.words;
    sum.letters += counts.letters;
    totals_set(sum);
}
#else
static void totals_add(struct counts counts)
{
    pthread_mutex_lock(&totals_lock);
    totals.lines += counts.lines;
    totals.words += counts.words;
    totals.letters += counts.letters;
    pthread_mutex_unlock(&totals_lock);
}
#endif

// The longest words so far, each scanner for itself.
struct top {
    int count;
    char words[TOP_WORDS][WORD_SIZE];
};

static void top_add(struct top *top, const char *word, size_t length)
{
    if (length >= WORD_SIZE)
        length = WORD_SIZE - 1;
    for (int i = 0; i < top->count; i++)
        if (strlen(top->words[i]) == length && strncmp(top->words[i], word, length) == 0)
            return;
    int place = top->count;
    if (place == TOP_WORDS) {
        place = 0;
        for (int i = 1; i < TOP_WORDS; i++)
            if (strlen(top->words[i]) < strlen(top->words[place]))
                place = i;
        if (strlen(top->words[place]) >= length)
            return;
    } else {
        top->count++;
    }
    memcpy(top->words[place], word, length);
    top->words[place][length] = '\0';
}

static void count_line(const char *text, struct counts *counts, struct top *top)
{
    counts->lines++;
    const char *at = text;
    while (*at) {
        while (*at && !isalnum((unsigned char)*at))
            at++;
        const char *start = at;
        while (*at && isalnum((unsigned char)*at))
            at++;
        if (at > start) {
            counts->words++;
            counts->letters += at - start;
            top_add(top, start, (size_t)(at - start));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads

struct scanner {
    pthread_t thread;
    struct queue *queue;
    struct top top;
    long taken;
};

static void *scan(void *argument)
{
    struct scanner *self = argument;
    struct counts counts = {0, 0, 0};
    for (;;) {
        struct line *line = queue_take(self->queue);
        if (!line)
            break;
        count_line(line->text, &counts, &self->top);
        self->taken++;
        free(line->text);
        free(line);
    }
    totals_add(counts);
    return NULL;
}

static struct line *line_new(const char *file, int number, const char *text)
{
    struct line *line = malloc(sizeof *line);
    if (!line)
        return NULL;
    line->file = file;
    line->number = number;
    line->text = strdup(text);
    return line;
}

// Puts the lines of one file into the queue and returns how many there were, or -1.
static long read_lines(FILE *input, const char *name, struct queue *queue)
{
    char buffer[LINE_SIZE];
    long lines = 0;
    while (fgets(buffer, sizeof buffer, input)) {
        size_t length = strlen(buffer);
        if (length > 0 && buffer[length - 1] == '\n')
            buffer[length - 1] = '\0';
        struct line *line = line_new(name, (int)(lines + 1), buffer);
        if (!line || !line->text)
            return -1;
        queue_put(queue, line);
        lines++;
    }
    return ferror(input) ? -1 : lines;
}

static long read_all(int count, char **names, struct queue *queue)
{
    if (count == 0)
        return read_lines(stdin, "standard input", queue);
    long lines = 0;
    for (int i = 0; i < count; i++) {
        FILE *input = fopen(names[i], "r");
        if (!input) {
            printf("%s cannot be read\n", names[i]);
            continue;
        }
        long more = read_lines(input, names[i], queue);
        fclose(input);
        if (more < 0)
            return -1;
        lines += more;
    }
    return lines;
}

static int by_length(const void *left, const void *right)
{
    size_t a = strlen(left), b = strlen(right);
    if (a != b)
        return a > b ? -1 : 1;
    return strcmp(left, right);
}

static void print_top(const struct scanner *scanners)
{
    struct top all;
    memset(&all, 0, sizeof all);
    for (int i = 0; i < SCANNERS; i++)
        for (int j = 0; j < scanners[i].top.count; j++)
            top_add(&all, scanners[i].top.words[j], strlen(scanners[i].top.words[j]));
    qsort(all.words, (size_t)all.count, WORD_SIZE, by_length);
    for (int i = 0; i < all.count && i < 3; i++)
        printf("  %s\n", all.words[i]);
}

int main(int argc, char **argv)
{
    static struct queue queue;
    static struct scanner scanners[SCANNERS];
    queue_init(&queue);
    for (int i = 0; i < SCANNERS; i++) {
        scanners[i].queue = &queue;
        if (pthread_create(&scanners[i].thread, NULL, scan, &scanners[i]) != 0)
            return 1;
    }
    long lines = read_all(argc - 1, argv + 1, &queue);
    queue_close(&queue);
    long taken = 0;
    for (int i = 0; i < SCANNERS; i++) {
        pthread_join(scanners[i].thread, NULL);
        taken += scanners[i].taken;
    }
    queue_destroy(&queue);
    if (lines < 0)
        return 1;
    struct counts counted = totals_now();
    assert(taken == lines);
    assert(counted.lines == lines);
    printf("%ld lines, %ld words, %ld letters; the longest words:\n", counted.lines, counted.words, counted.letters);
    print_top(scanners);
    return 0;
}
