/** Programs that write what a sandbox prints: `setsid` is of util-linux. Without them, the output would be lost. */
export const WRITERS = ['/usr/bin/setsid', '/bin/cat'] as const;

/**
 * The supervisor: a few fixed lines of /bin/sh, so that a command outlives the process that started it and still leaves
 * its exit code. Nothing of a caller is interpolated; the paths and the command come as positional parameters.
 *
 * 1. It records its identity (pid, boot, start) before the command can run: without that record, the command never ran.
 * 2. It handles SIGINT and SIGTERM by going on. It must not ignore them: the command would inherit that and ignore them too.
 * 3. It runs the command, and writes the exit code with a line break in one go: readers ignore the file without the line
 *    break. (A write to another name and a rename would need one more process, the only one not built into the shell.)
 *    A sandbox gets descriptor 3, which it reads, and descriptors 4 and 5 for its status. Its output goes through a pipe to a
 *    process outside, so that code inside can add to the output, and keep a part of it from getting there, but not change what is
 *    there. The text that people and policies judge is printed elsewhere: see `stdoutFile` of `runCommand`. That process is in a
 *    session of its own, and is followed by one that reads on when the disk is full: Terraform would not survive the end of its
 *    output.
 * 4. It kills its own group, so that nothing that the command left running survives it.
 *
 * Names of variables begin with `_nereid` so that they never clash with a variable of the command. The text is an argument
 * and not a file, because some shells read a file while they run it, and an upgrade may replace the file meanwhile.
 */
export const SUPERVISOR = `
read -r _nereid_boot 2>/dev/null </proc/sys/kernel/random/boot_id &&
read -r _nereid_stat 2>/dev/null </proc/$$/stat &&
printf '%s\\n' "$$" "$_nereid_boot" "$_nereid_stat" >"$1" ||
printf '%s\\n' "$$" "$(/bin/ps -o lstart= -p "$$")" >"$1" ||
exit 125
_nereid_exit=$2
_nereid_sandbox=$3
shift 3
trap : INT TERM
if [ "$_nereid_sandbox" ]
then
  exec 7>&1
  _nereid_code=$(
    {
      {
        trap : INT TERM
        "$@" 4>>"$_nereid_sandbox" 5>&4 6>&- 7>&-
        printf '%s' "$?" >&6
      } 2>&1 | {
        trap '' HUP INT TERM
        ${WRITERS.join(' ')} >&7 6>&- || /bin/cat >/dev/null 6>&-
      }
    } 6>&1
  )
else
  "$@"
  _nereid_code=$?
fi
[ "$_nereid_code" ] || exit 125
printf '%s\\n' "$_nereid_code" >"$_nereid_exit" &&
kill -s KILL 0
exit "$_nereid_code"
`;
