/**
 * The guard: a few fixed lines of /bin/sh that run one program, and end it when the pipe on stdin closes: the process at the
 * other end has closed it, or has died in whatever way. So a server never outlives the test or the local stack that started
 * it, not even after SIGKILL. A shell, because it takes 2 MB beside each server, where a Node takes 60.
 *
 * The guard exits with the program's exit code, or with that of `exitCodeOf` when a signal killed the program. A shell starts
 * such a program with SIGINT ignored, unless the program handles it, and may add PWD to its environment. The shell's own words
 * about signals do not belong in the program's log. `sleep` has its whole path, because the environment may have none.
 *
 * Parameters: the seconds between SIGTERM and SIGKILL, the program, its arguments. Nothing is interpolated, and names of
 * variables begin with `_nereid` so that they never clash with a variable of the program.
 */
export const GUARD = `
_nereid_grace=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
_nereid_child=$!
{
  read -r _nereid_end <&3
  kill -s TERM "$_nereid_child"
  /bin/sleep "$_nereid_grace"
  kill -s KILL "$_nereid_child"
} 2>/dev/null &
exec 3<&- 2>/dev/null
wait "$_nereid_child"
_nereid_code=$?
# The rest of the group: the watcher, and its sleep.
trap : TERM
kill -s TERM 0
exit "$_nereid_code"
`;
