/* Options of the command line: POSIX, with long options and with arguments that stand before options, as in the GNU library. */
char *__gordian_optarg;
int __gordian_optind = 1, __gordian_opterr = 1, __gordian_optopt = 63;
void __gordian_tell_fputs(const char *text, int stream);

struct __gordian_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* What is left of a group of short options, and how many arguments that are no options stand before it. */
static char *__gordian_option_group;
static int __gordian_skipped_arguments;

/* The argument after those that were skipped is put before them. */
static char *__gordian_take_argument(char **argv)
{
    char *taken = argv[__gordian_optind + __gordian_skipped_arguments];
    for (int i = __gordian_optind + __gordian_skipped_arguments; i > __gordian_optind; i--)
        argv[i] = argv[i - 1];
    argv[__gordian_optind] = taken;
    __gordian_optind++;
    return taken;
}

static int __gordian_bad_option(const char *program, const char *complaint, const char *name, int silent)
{
    if (__gordian_opterr && !silent) {
        const char *parts[6] = {program, ": ", complaint, " '", name, "'\n"};
        for (int i = 0; i < 6; i++)
            __gordian_tell_fputs(parts[i], 2);
    }
    return '?';
}

static int __gordian_long_option(int argc, char **argv, const char *name, const struct __gordian_option *options,
                                 int *index, int silent, int missing)
{
    unsigned long length = strcspn(name, "=");
    int found = -1;
    for (int i = 0; options[i].name; i++)
        if (strncmp(options[i].name, name, length) == 0) {
            int exact = strlen(options[i].name) == length;
            if (found >= 0 && !exact) {
                __gordian_optopt = 0;
                return __gordian_bad_option(argv[0], "ambiguous option", name, silent);
            }
            found = i;
            if (exact)
                break;
        }
    if (found < 0) {
        __gordian_optopt = 0;
        return __gordian_bad_option(argv[0], "unrecognized option", name, silent);
    }
    const struct __gordian_option *option = &options[found];
    if (name[length] == '=') {
        if (option->has_argument == 0) {
            __gordian_optopt = option->value;
            return __gordian_bad_option(argv[0], "no argument is allowed for option", option->name, silent);
        }
        __gordian_optarg = (char *)name + length + 1;
    } else if (option->has_argument == 1) {
        if (__gordian_optind + __gordian_skipped_arguments >= argc) {
            __gordian_optopt = option->value;
            __gordian_bad_option(argv[0], "an argument is required for option", option->name, silent);
            return missing;
        }
        __gordian_optarg = __gordian_take_argument(argv);
    }
    if (index)
        *index = found;
    if (option->flag == 0)
        return option->value;
    *option->flag = option->value;
    return 0;
}

static int __gordian_short_option(int argc, char **argv, const char *options, int silent, int missing)
{
    char name[2] = {*__gordian_option_group, 0};
    __gordian_option_group++;
    const char *rest = __gordian_option_group;
    const char *found = name[0] == ':' ? 0 : strchr(options, name[0]);
    if (*rest == 0)
        __gordian_option_group = 0;
    if (found == 0) {
        __gordian_optopt = (unsigned char)name[0];
        return __gordian_bad_option(argv[0], "invalid option --", name, silent);
    }
    if (found[1] != ':')
        return (unsigned char)name[0];
    __gordian_option_group = 0;
    if (*rest) {
        __gordian_optarg = (char *)rest;
    } else if (found[2] != ':') {
        if (__gordian_optind + __gordian_skipped_arguments >= argc) {
            __gordian_optopt = (unsigned char)name[0];
            __gordian_bad_option(argv[0], "option requires an argument --", name, silent);
            return missing;
        }
        __gordian_optarg = __gordian_take_argument(argv);
    }
    return (unsigned char)name[0];
}

int getopt_long(int argc, char *const *arguments, const char *short_options, const struct __gordian_option *long_options,
                int *index)
{
    char **argv = (char **)arguments;
    int in_order = *short_options == '+', returns_all = *short_options == '-';
    if (in_order || returns_all)
        short_options++;
    int silent = *short_options == ':', missing = silent ? ':' : '?';
    __gordian_optarg = 0;
    if (__gordian_optind == 0) {
        __gordian_optind = 1;
        __gordian_option_group = 0;
    }
    if (__gordian_option_group == 0) {
        int at = __gordian_optind;
        while (at < argc && (argv[at][0] != '-' || argv[at][1] == 0)) {
            if (in_order)
                return -1;
            if (returns_all) {
                __gordian_optarg = argv[at];
                __gordian_optind = at + 1;
                return 1;
            }
            at++;
        }
        if (at >= argc)
            return -1;
        __gordian_skipped_arguments = at - __gordian_optind;
        char *argument = __gordian_take_argument(argv);
        if (argument[1] == '-') {
            if (argument[2] == 0)
                return -1;
            if (long_options)
                return __gordian_long_option(argc, argv, argument + 2, long_options, index, silent, missing);
        }
        __gordian_option_group = argument + 1;
    }
    return __gordian_short_option(argc, argv, short_options, silent, missing);
}

int getopt(int argc, char *const *arguments, const char *options) { return getopt_long(argc, arguments, options, 0, 0); }
