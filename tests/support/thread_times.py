"""How long each thread works while a film is read, waits for Python's lock, and for other threads.

``python -m tests.support.thread_times samples/harbin.mp4 --rules harbin-hlr``. What a reader of
tiles in a process of its own could win is what the thread that reads them and the one that follows
the game wait for the lock of the interpreter (the GIL): all else they wait for, they wait for in
two processes, too. Linux alone, with a C compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

SHIM: Final = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Interposed before libc. CPython waits for its lock, and for nothing else, with
   pthread_cond_timedwait; its other locks are semaphores. */
enum { MOST = 4096 };
static struct { long tid; double waited_s, worked_s; } each[MOST];
static int count;
static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static pthread_mutex_t registers = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static __thread int own = -1;
static double begun_s;

static double now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec + at.tv_nsec / 1e9;
}

static void tell(long tid) {
    char name[32] = "?", path[64];
    double ran_ns = 0, queued_ns = 0, waited_s = 0, worked_s = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/comm", tid);
    FILE *file = fopen(path, "r");
    if (file) { if (fgets(name, sizeof name, file)) name[strcspn(name, "\n")] = 0; fclose(file); }
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", tid);
    file = fopen(path, "r");
    if (file) { if (fscanf(file, "%lf %lf", &ran_ns, &queued_ns) != 2) ran_ns = 0; fclose(file); }
    for (int at = 0; at < count; at++) if (each[at].tid == tid) {
        waited_s = each[at].waited_s;
        worked_s = each[at].worked_s;
    }
    file = fopen(getenv("THREAD_TIMES"), "a");
    if (!file) return;
    fprintf(file, "%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", getpid(), name,
            now(CLOCK_MONOTONIC) - begun_s, ran_ns / 1e9, queued_ns / 1e9, waited_s, worked_s);
    fclose(file);
}

static void ends(void *unused) { tell(syscall(SYS_gettid)); }

static void tell_all(void) {
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *one; tasks && (one = readdir(tasks));)
        if (one->d_name[0] != '.') tell(atol(one->d_name));
}

__attribute__((constructor)) static void begin(void) {
    begun_s = now(CLOCK_MONOTONIC);
    real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    pthread_key_create(&key, ends);
}

__attribute__((destructor)) static void end(void) { tell_all(); }

void _exit(int status) {
    tell_all();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
    Dl_info who;
    if (!dladdr(__builtin_return_address(0), &who) || !who.dli_fname
        || !strstr(who.dli_fname, "python") || strstr(who.dli_fname, "site-packages"))
        return real(c, m, until);
    if (own < 0) {
        pthread_mutex_lock(&registers);
        own = count < MOST - 1 ? count++ : MOST - 1;
        each[own].tid = syscall(SYS_gettid);
        pthread_mutex_unlock(&registers);
        pthread_setspecific(key, &each[own]);
    }
    double since_s = now(CLOCK_MONOTONIC), work_s = now(CLOCK_PROCESS_CPUTIME_ID);
    int result = real(c, m, until);
    each[own].waited_s += now(CLOCK_MONOTONIC) - since_s;
    each[own].worked_s += now(CLOCK_PROCESS_CPUTIME_ID) - work_s;
    return result;
}
"""
NAMED: Final = """
import ctypes, sys, threading
from service.main import main

own, system = threading.Thread.run, ctypes.CDLL(None)


def run(thread):
    system.prctl(15, thread.name[:15].encode())
    own(thread)


threading.Thread.run = run
main()
"""
"""Runs the program; the system is told the names of its threads."""
LEAST_S: Final = 0.2
"""Threads that worked less are not shown."""


@dataclass(frozen=True)
class ThreadTimes:
    """One thread of the process that read the film."""

    name: str
    lived_s: float
    worked_s: float
    queued_s: float
    """It could have worked, and the machine did something else."""
    locked_s: float
    """It waited for the lock of the interpreter."""
    locked_work_s: float
    """What the whole process computed meanwhile: on a quiet machine it waits no longer."""

    @property
    def awaited_s(self) -> float:
        """It waited for other threads, or had nothing to do."""
        return max(0.0, self.lived_s - self.worked_s - self.queued_s - self.locked_s)


def measured(command: Sequence[str]) -> list[ThreadTimes]:
    """The threads of a command of ``tilesight``, those that worked longest first."""
    with TemporaryDirectory() as folder:
        source, shim, told = (Path(folder) / name for name in ("shim.c", "shim.so", "told"))
        source.write_text(SHIM, "utf-8")
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", shim, source, "-ldl", "-lpthread"], check=True
        )
        before = {"LD_PRELOAD": str(shim), "THREAD_TIMES": str(told)}
        done = subprocess.Popen(
            [sys.executable, "-c", NAMED, *command], env={**os.environ, **before}
        )
        if done.wait():
            raise SystemExit(done.returncode)
        rows = [row.split("\t") for row in told.read_text("utf-8").splitlines()]
        return sorted(
            (
                ThreadTimes(row[1], *map(float, row[2:7]))
                for row in rows
                if row[0] == str(done.pid) and float(row[3]) >= LEAST_S
            ),
            key=lambda one: -one.worked_s,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("film", type=Path)
    parser.add_argument("--rules", default="harbin-hlr")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        out = str(Path(folder) / "scored")
        command = ["score", str(asked.film), "--rules", asked.rules, "--out", out]
        begun_s = time.monotonic()
        rows = measured(command)
        wall_s = time.monotonic() - begun_s
    print(f"{wall_s:.1f} s by the wall")
    heads = ("lived", "works", "queues", "lock", "of work", "others")
    print(f"{'thread':16}" + "".join(f"{head:>8}" for head in heads))
    for one in rows:
        times = (one.lived_s, one.worked_s, one.queued_s, one.locked_s, one.locked_work_s)
        print(f"{one.name:16}" + "".join(f"{seconds:8.2f}" for seconds in (*times, one.awaited_s)))


if __name__ == "__main__":
    main()
