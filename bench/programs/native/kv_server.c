// A small key-value store in memory, driven by a script: each session of the script is served by a thread of its own.
//
// The bug: with BROKEN (the default; -D BROKEN=0 repairs it) `move A B N` locks the bucket of A, then that of B. Two sessions
// that move in opposite directions can wait for each other. Hardly any run shows it: both must be in the middle of a move.
//
// Usage: kv_server [SCRIPT]         without SCRIPT: standard input
//
//     session NAME        begins the commands of a session; what comes before the first one is done before all of them
//     set KEY VALUE
//     add KEY NUMBER
//     get KEY
//     del KEY
//     move FROM TO NUMBER
//     # a comment
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BROKEN
#define BROKEN 1
#endif

#define BUCKETS 8
#define MAX_SESSIONS 8
#define MAX_WORDS 5
#define LINE_SIZE 120

// ---------------------------------------------------------------------------------------------------------------------
// The store

struct entry {
    char *key;
    long value;
    struct entry *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *entries;
    int count;
};

static struct bucket store[BUCKETS];

static unsigned bucket_of(const char *key)
{
    unsigned hash = 5381;
    for (; *key; key++)
        hash = hash * 33 + (unsigned char)*key;
    return hash % BUCKETS;
}

static void store_init(void)
{
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&store[i].lock, NULL);
}

// With the bucket locked: the entry, or null.
static struct entry *find(struct bucket *bucket, const char *key)
{
    for (struct entry *entry = bucket->entries; entry; entry = entry->next)
        if (strcmp(entry->key, key) == 0)
            return entry;
    return NULL;
}

// With the bucket locked: the entry, which is made if there is none.
static struct entry *find_or_make(struct bucket *bucket, const char *key)
{
    struct entry *entry = find(bucket, key);
    if (entry)
        return entry;
    entry = malloc(sizeof *entry);
    if (!entry)
        return NULL;
    entry->key = strdup(key);
    entry->value = 0;
    entry->next = bucket->entries;
    bucket->entries = entry;
    bucket->count++;
    return entry;
}

static int store_set(const char *key, long value)
{
    struct bucket *bucket = &store[bucket_of(key)];
    pthread_mutex_lock(&bucket->lock);
    struct entry *entry = find_or_make(bucket, key);
    if (entry)
        entry->value = value;
    pthread_mutex_unlock(&bucket->lock);
    return entry != NULL;
}

static int store_add(const char *key, long number)
{
    struct bucket *bucket = &store[bucket_of(key)];
    pthread_mutex_lock(&bucket->lock);
    struct entry *entry = find_or_make(bucket, key);
    if (entry)
        entry->value += number;
    pthread_mutex_unlock(&bucket->lock);
    return entry != NULL;
}

static int store_get(const char *key, long *value)
{
    struct bucket *bucket = &store[bucket_of(key)];
    pthread_mutex_lock(&bucket->lock);
    struct entry *entry = find(bucket, key);
    if (entry)
        *value = entry->value;
    pthread_mutex_unlock(&bucket->lock);
    return entry != NULL;
}

static int store_delete(const char *key)
{
    struct bucket *bucket = &store[bucket_of(key)];
    struct entry *found = NULL;
    pthread_mutex_lock(&bucket->lock);
    for (struct entry **place = &bucket->entries; *place; place = &(*place)->next) {
        if (strcmp((*place)->key, key) == 0) {
            found = *place;
            *place = found->next;
            bucket->count--;
            break;
        }
    }
    pthread_mutex_unlock(&bucket->lock);
    if (!found)
        return 0;
    free(found->key);
    free(found);
    return 1;
}

static void lock_both(struct bucket *from, struct bucket *to)
{
#if BROKEN
    pthread_mutex_lock(&from->lock);
    if (to != from)
        pthread_mutex_lock(&to->lock);
#else
    struct bucket *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    if (second != first)
        pthread_mutex_lock(&second->lock);
#endif
}

static int store_move(const char *from, const char *to, long number)
{
    struct bucket *source = &store[bucket_of(from)], *target = &store[bucket_of(to)];
    lock_both(source, target);
    struct entry *taken = find(source, from), *given = taken ? find_or_make(target, to) : NULL;
    if (taken && given) {
        taken->value -= number;
        given->value += number;
    }
    if (target != source)
        pthread_mutex_unlock(&target->lock);
    pthread_mutex_unlock(&source->lock);
    return taken && given;
}

static long store_sum(void)
{
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        pthread_mutex_lock(&store[i].lock);
        for (struct entry *entry = store[i].entries; entry; entry = entry->next)
            sum += entry->value;
        pthread_mutex_unlock(&store[i].lock);
    }
    return sum;
}

static void store_free(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (store[i].entries) {
            struct entry *entry = store[i].entries;
            store[i].entries = entry->next;
            free(entry->key);
            free(entry);
        }
        pthread_mutex_destroy(&store[i].lock);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sessions

struct command {
    char *text;
    struct command *next;
};

struct session {
    char *name;
    pthread_t thread;
    struct command *first;
    struct command **last;
    int served;
    int refused;
};

static struct session sessions[MAX_SESSIONS];
static int session_count;

static int split(char *text, char **words)
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\n", &rest); word && count < MAX_WORDS; word = strtok_r(NULL, " \t\n", &rest))
        words[count++] = word;
    return count;
}

static int serve_command(char **words, int count)
{
    long value;
    if (count == 3 && strcmp(words[0], "set") == 0)
        return store_set(words[1], strtol(words[2], NULL, 10));
    if (count == 3 && strcmp(words[0], "add") == 0)
        return store_add(words[1], strtol(words[2], NULL, 10));
    if (count == 2 && strcmp(words[0], "get") == 0)
        return store_get(words[1], &value);
    if (count == 2 && strcmp(words[0], "del") == 0)
        return store_delete(words[1]);
    if (count == 4 && strcmp(words[0], "move") == 0)
        return store_move(words[1], words[2], strtol(words[3], NULL, 10));
    return 0;
}

static void *serve(void *argument)
{
    struct session *session = argument;
    for (struct command *command = session->first; command; command = command->next) {
        char *words[MAX_WORDS];
        int count = split(command->text, words);
        if (serve_command(words, count))
            session->served++;
        else
            session->refused++;
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// The script

static int add_session(const char *name)
{
    if (session_count == MAX_SESSIONS)
        return 0;
    struct session *session = &sessions[session_count++];
    session->name = strdup(name);
    session->first = NULL;
    session->last = &session->first;
    return session->name != NULL;
}

static int add_command(char *text)
{
    if (session_count == 0) {
        char *words[MAX_WORDS];
        int count = split(text, words);
        return serve_command(words, count);
    }
    struct session *session = &sessions[session_count - 1];
    struct command *command = malloc(sizeof *command);
    if (!command)
        return 0;
    command->text = strdup(text);
    command->next = NULL;
    *session->last = command;
    session->last = &command->next;
    return command->text != NULL;
}

static int read_script(FILE *input)
{
    char line[LINE_SIZE];
    int number = 0;
    while (fgets(line, sizeof line, input)) {
        number++;
        char *start = line;
        while (isspace((unsigned char)*start))
            start++;
        if (*start == '\0' || *start == '#')
            continue;
        start[strcspn(start, "\n")] = '\0';
        int good = strncmp(start, "session ", 8) == 0 ? add_session(start + 8) : add_command(start);
        if (!good) {
            printf("line %d cannot be used\n", number);
            return 0;
        }
    }
    return 1;
}

static void free_sessions(void)
{
    for (int i = 0; i < session_count; i++) {
        while (sessions[i].first) {
            struct command *command = sessions[i].first;
            sessions[i].first = command->next;
            free(command->text);
            free(command);
        }
        free(sessions[i].name);
    }
}

int main(int argc, char **argv)
{
    FILE *input = argc > 1 ? fopen(argv[1], "r") : stdin;
    store_init();
    if (!input || !read_script(input)) {
        printf("there is no script to serve\n");
        return 2;
    }
    for (int i = 0; i < session_count; i++)
        if (pthread_create(&sessions[i].thread, NULL, serve, &sessions[i]) != 0)
            return 1;
    int refused = 0;
    for (int i = 0; i < session_count; i++) {
        pthread_join(sessions[i].thread, NULL);
        printf("%s: %d commands served, %d refused\n", sessions[i].name, sessions[i].served, sessions[i].refused);
        refused += sessions[i].refused;
    }
    printf("sum of all values: %ld\n", store_sum());
    store_free();
    free_sessions();
    return refused > 0;
}
