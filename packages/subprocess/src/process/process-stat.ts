/** Linux's account of a process in `/proc/<pid>/stat`, as proc_pid_stat(5) describes it. */
export interface ProcessStat {
  readonly processGroup: number;
  /** In clock ticks since the boot. */
  readonly start: string;
  /** Whether it has ended, and left its files and ports: only its parent has not collected it yet. */
  readonly isZombie: boolean;
}

export function parseProcessStat(stat: string): ProcessStat {
  // The name in parentheses may itself hold spaces and parentheses, so the fields are counted from its end.
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => afterName[number - 3] ?? '';
  // The state is that of the first thread. The others may still run, or be about to close what they share.
  const isZombie = ['Z', 'X'].includes(field(3)) && Number(field(20)) <= 1;
  return { processGroup: Number(field(5)), start: field(22), isZombie };
}
