# The tool-info module of Gordian for BenchExec (https://github.com/sosy-lab/benchexec).
#
# With the root of a clone in PYTHONPATH, a benchmark definition names it as tool="contrib.benchexec.gordian". See
# docs/guide/benchmarks.md.
#
# SPDX-License-Identifier: MIT OR Apache-2.0

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64

# What a property file has to contain, and what we call it. Several may apply: valid-memsafety is three formulas.
PROPERTIES = [
    ("call(reach_error())", "unreach-call"),
    ("data-race", "no-data-race"),
    ("overflow", "no-overflow"),
    ("valid-memcleanup", "valid-memcleanup"),
    ("valid-free", "valid-memsafety"),
    ("valid-deref", "valid-memsafety"),
    ("valid-memtrack", "valid-memsafety"),
    ("deadlock", "no-deadlock"),
]

# What stands in the parentheses of FALSE(...), in the words of BenchExec where it has any.
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-data-race": result.RESULT_FALSE_DATARACE,
    "no-deadlock": result.RESULT_FALSE_DEADLOCK,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
}


class Tool(benchexec.tools.template.BaseTool2):
    """Gordian: finds bugs in multi-threaded C programs, or proves that there are none."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("gordian", subdir="bin")

    def name(self):
        return "Gordian"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="gordian ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "svcomp"]
        if task.property_file:
            command += ["--property", property_name(task.property_file)]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model:
            command += ["--data-model", model]
        # A check that knows its limits ends in good order, a little before it has to.
        time = rlimits.walltime or rlimits.cputime
        if time and "--timeout" not in options:
            command += ["--timeout", f"{max(1, int(time * 0.95))}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(int(rlimits.memory * 0.95))]
        return command + options + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in reversed(run.output):
            line = line.strip()
            if line == "TRUE":
                return result.RESULT_TRUE_PROP
            if line.startswith("FALSE("):
                name = line[len("FALSE(") :].rstrip(")")
                return VIOLATIONS.get(name, f"{result.RESULT_FALSE_PROP}({name})")
            if line.startswith("UNKNOWN("):
                reason = line[len("UNKNOWN(") :].rstrip(")")
                if "time limit" in reason:
                    return "TIMEOUT"
                if "memory limit" in reason:
                    return "OUT OF MEMORY"
                return f"{result.RESULT_UNKNOWN}({reason})"
        if run.exit_code.value == 4:
            return result.RESULT_ERROR + "(a bug of gordian)"
        return result.RESULT_ERROR


def property_name(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for formula, name in PROPERTIES:
        if formula in text:
            return name
    raise UnsupportedFeatureException(f"unsupported property {path}")
