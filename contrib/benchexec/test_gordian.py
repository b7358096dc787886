# Tests the tool-info module with the real `benchexec` package and a real binary: every task of a small run set is executed by
# the command line that the module makes, and the module must see the expected answer in the output.
#
#   python3 contrib/benchexec/test_gordian.py PATH/TO/gordian
#
# Exits with 77 if the package is missing.

import os
import subprocess
import sys
import tempfile

try:
    import benchexec.result as result
    from benchexec.tools.template import BaseTool2
    from benchexec.util import ProcessExitCode
except ImportError:
    print("the package `benchexec` is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gordian  # noqa: E402

SAFE = """
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *add(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0);
  if (x != 2) reach_error();
  return 0;
}
"""
UNSAFE = SAFE.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "")

REACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
RACE = "CHECK( init(main()), LTL(G ! data-race) )\n"
MEMORY = "".join(f"CHECK( init(main()), LTL(G {name}) )\n" for name in ("valid-free", "valid-deref", "valid-memtrack"))
LEAK = "#include <stdlib.h>\nint main(void) { void *p = malloc(4); p = 0; return p != 0; }\n"

TASKS = [
    ("safe.c", SAFE, REACH, result.RESULT_TRUE_PROP),
    ("safe.c", SAFE, RACE, result.RESULT_TRUE_PROP),
    ("unsafe.c", UNSAFE, REACH, result.RESULT_FALSE_REACH),
    ("unsafe.c", UNSAFE, RACE, result.RESULT_FALSE_DATARACE),
    ("leak.c", LEAK, MEMORY, result.RESULT_FALSE_MEMTRACK),
]


def run(tool, executable, folder, name, text, formula):
    path, prop = os.path.join(folder, name), os.path.join(folder, "property.prp")
    for file, contents in ((path, text), (prop, formula)):
        with open(file, "w", encoding="utf-8") as out:
            out.write(contents)
    options = {"language": "C", "data_model": "ILP32"}
    task = BaseTool2.Task.with_files([path], property_file=prop, options=options)
    limits = BaseTool2.ResourceLimits(cputime=60, walltime=60, memory=2_000_000_000)
    command = tool.cmdline(executable, [], task, limits)
    finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, check=False)
    lines = finished.stdout.decode().splitlines(keepends=True)
    code = ProcessExitCode.from_raw(finished.returncode << 8)
    return tool.determine_result(BaseTool2.Run(command, code, BaseTool2.RunOutput(lines), None))


def main():
    executable = os.path.abspath(sys.argv[1])
    tool = gordian.Tool()
    assert tool.name() == "Gordian"
    version = tool.version(executable)
    assert version and version[0].isdigit(), version
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, formula, expected in TASKS:
            answer = run(tool, executable, folder, name, text, formula)
            if answer != expected:
                failures += 1
                print(f"{name} {formula.strip()}: {answer} instead of {expected}")
    silent = BaseTool2.Run([], ProcessExitCode.from_raw(4 << 8), BaseTool2.RunOutput([]), None)
    assert tool.determine_result(silent) == result.RESULT_ERROR + "(a bug of gordian)"
    print(f"{len(TASKS)} tasks, {failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
