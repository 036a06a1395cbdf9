/** What a person can do about a lock of the state that Terraform met. Its texts are Terraform's: hostile. */
import { isLockId, type StateLock } from '@nereid/domain/host';
import { code } from '@nereid/forge';

/** Markdown. The text comes with a record, which somebody may have written by hand: no command without a good id. */
export function stateLockHelp({ id, who, created }: StateLock, rootName: string, commandName = 'nereid'): string {
  const holder = who === undefined ? 'Somebody' : code(who, TEXT_LIMIT);
  const since = created === undefined ? '' : ` since ${code(created, TEXT_LIMIT)}`;
  const lock = `**The state is locked.** ${holder} holds the lock ${code(id)}${since}.`;
  if (!isLockId(id)) return lock;
  return `${lock} If that run is still going, wait until it ends, then **Re-run** this check. If it is gone and left its lock behind, an admin can free it with a comment on a pull request:

\`\`\`text
${commandName} force-unlock ${rootName} ${id}
\`\`\`

First make sure that nobody else is working with this state: two runs at once can destroy it.`;
}

/** In characters, as `StateLock` says. */
const TEXT_LIMIT = 100;
