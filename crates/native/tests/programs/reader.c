// Reads in all the ways that programs read, asks for times and the environment, and writes to a file and to stderr.
// Status 0 means that everything was as expected; the file is looked at by the test.
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static FILE *out;
static int rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int number) { _exit(number); }

static void require(int line, int condition)
{
    if (condition)
        return;
    fprintf(stderr, "line %d is wrong\n", line);
    exit(1);
}
#define REQUIRE(condition) require(__LINE__, condition)

static void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(out, format, list);
    va_end(list);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void scan(const char *path)
{
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        exit(1);
    }
    char word[16], text[64], letter;
    int number, position = -1;
    long negative;
    unsigned hexadecimal;
    double real;
    REQUIRE(fscanf(in, "%15s %d%ld", word, &number, &negative) == 3);
    REQUIRE(fscanf(in, " %x;%63[^\n]", &hexadecimal, text) == 2);
    REQUIRE(fscanf(in, "%lf %c", &real, &letter) == 2);
    REQUIRE(fscanf(in, "%d", &number) == EOF && feof(in));
    REQUIRE(ftell(in) == 42);
    rewind(in);
    REQUIRE(fgetc(in) == 'f' && ungetc('F', in) == 'F' && fgetc(in) == 'F');
    fclose(in);
    REQUIRE(sscanf("12 monkeys", "%d%n %*s", &number, &position) == 1 && number == 12 && position == 2);
    REQUIRE(sscanf("x", "%d", &number) == 0);
    report("%s 42 %ld %u %s %.1f %c\n", word, negative, hexadecimal, text, real, letter);
}

static void look_at_the_clock(void)
{
    struct timeval day;
    struct timespec monotonic;
    struct tm broken_down;
    char year[8];
    gettimeofday(&day, NULL);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    time_t now = time(NULL);
    REQUIRE(now + 1 >= day.tv_sec && now - day.tv_sec < 60 && day.tv_usec >= 0 && day.tv_usec < 1000000);
    REQUIRE(monotonic.tv_nsec >= 0 && monotonic.tv_nsec < 1000000000);
    REQUIRE(gmtime_r(&now, &broken_down) == &broken_down && broken_down.tm_year > 100);
    REQUIRE(strftime(year, sizeof year, "%Y", &broken_down) == 4 && atoi(year) == broken_down.tm_year + 1900);
}

static void look_at_files(const char *path)
{
    struct stat status;
    char here[4096];
    REQUIRE(stat(path, &status) == 0 && status.st_size == 42 && S_ISREG(status.st_mode));
    REQUIRE(status.st_mtime > 0 && stat("/nonexistent/file", &status) == -1);
    REQUIRE(getcwd(here, sizeof here) == here && here[0] == '/');
    REQUIRE(memrchr("abab", 'a', 4) != NULL && access(path, R_OK) == 0);
}

static void look_around(void)
{
    const char *path = getenv("PATH");
    REQUIRE(path && strchr(path, '/') && getenv("NO_SUCH_VARIABLE_OF_GORDIAN") == NULL);
    REQUIRE(getpid() > 1 && sysconf(_SC_PAGESIZE) >= 4096);
    unsigned seed = 1;
    int first = rand_r(&seed), second = rand_r(&seed);
    REQUIRE(first >= 0 && second >= 0 && first != second);
    REQUIRE(fabs(sqrt(2.0) * sqrt(2.0) - 2.0) < 1e-15 && pow(2.0, 10.0) == 1024.0 && floor(-0.5) == -1.0);
    REQUIRE(atof("-12.5e1") == -125.0 && strtod("0.1", NULL) == 0.1);
    char *text;
    REQUIRE(asprintf(&text, "%d-%s", 7, "seven") == 7 && strcmp(text, "7-seven") == 0);
    free(text);
    REQUIRE(fopen("/nonexistent/file", "r") == NULL);
    perror("as expected");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"out", required_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};
    const char *target = NULL;
    int option, count = 0, verbose = 0;
    while ((option = getopt_long(argc, argv, "n:v", options, NULL)) != -1) {
        switch (option) {
        case 'n': count = atoi(optarg); break;
        case 'v': verbose = 1; break;
        case 'o': target = optarg; break;
        default: return 2;
        }
    }
    REQUIRE(optind == argc - 1 && target);
    signal(SIGINT, on_signal);
    out = fopen(target, "w");
    REQUIRE(out != NULL);
    scan(argv[optind]);
    look_at_the_clock();
    look_around();
    look_at_files(argv[optind]);
    pthread_t threads[8];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    report("%d of %d rounds%s\n", rounds, count, verbose ? ", verbose" : "");
    REQUIRE(fwrite("bytes\n", 1, 6, out) == 6);
    putc('!', out);
    // It is not closed: the end of the process is enough.
    return 0;
}
