/**
 * Why the next wave of a rollout has not begun, and what lets it begin: "The next wave is halted by wave 1 of 2 (canary): …". The check
 * run of the rollout, its page and a terminal say it. `describeWave` makes the clause, which may quote hostile answers.
 */
export function describeNextWave(clause: string): string {
  return `The next wave ${clause}.`;
}
