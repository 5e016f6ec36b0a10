#!/bin/sh
# One step of `git bisect run`: 0 good, 1 bad, 125 this commit cannot be judged.
#
#   SETUP   command that prepares a commit (install, build); its failure skips the commit
#   CHECK   command that exits 0 when the commit is good
#   SYMPTOM extended regular expression; where set, a failing CHECK is bad only if its output matches,
#           and any other failure skips the commit
#   REPEAT  how often CHECK must pass to call a commit good; more than 1 for an unsteady symptom (default 1)
#   LIMIT   seconds for one CHECK; running longer skips the commit, or is bad with LIMIT_IS_BAD=1 (default 600)
set -u
if [ -z "${CHECK:-}" ]; then
  echo 'set CHECK to a command that exits 0 when the commit is good' >&2
  exit 128 # stops the bisect; a lower status would be a verdict
fi
log=${LOG:-${TMPDIR:-/tmp}/bisect-step.log}
commit=$(git rev-parse --short HEAD)

verdict() {
  printf '%s %s: %s\n' "$commit" "$1" "$2" >&2
  case $1 in good) exit 0 ;; bad) exit 1 ;; *) exit 125 ;; esac
}

if [ -n "${SETUP:-}" ]; then
  sh -c "$SETUP" >"$log" 2>&1 || verdict skip "setup failed: $(tail -n 1 "$log")"
fi

run=1
while [ "$run" -le "${REPEAT:-1}" ]; do
  # perl, not timeout(1), which macOS lacks; the whole process group, or a server left behind holds its port
  # for the next commit. 142 is 128 + SIGALRM.
  perl -e '
    my $limit = shift;
    my $pid = fork // exit 127;
    if ($pid == 0) { setpgrp; exec @ARGV or exit 127 }
    $SIG{ALRM} = sub { kill "KILL", -$pid; waitpid $pid, 0; exit 142 };
    alarm $limit;
    waitpid $pid, 0;
    exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
  ' "${LIMIT:-600}" sh -c "$CHECK" >"$log" 2>&1
  status=$?
  case $status in
    0) ;;
    142) [ "${LIMIT_IS_BAD:-0}" = 1 ] && verdict bad "over ${LIMIT:-600} s"; verdict skip "over ${LIMIT:-600} s" ;;
    126 | 127) verdict skip "CHECK could not be run: $(tail -n 1 "$log")" ;;
    *)
      if [ -z "${SYMPTOM:-}" ] || grep -qE -e "$SYMPTOM" "$log"; then
        verdict bad "exit $status in run $run of ${REPEAT:-1}"
      fi
      verdict skip "failed in another way (exit $status): $(tail -n 1 "$log")"
      ;;
  esac
  run=$((run + 1))
done
verdict good "${REPEAT:-1} of ${REPEAT:-1} runs passed"
