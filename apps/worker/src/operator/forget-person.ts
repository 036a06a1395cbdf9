/** Has a person forgotten in what is stored, and says what that does not reach. */
import { createHash, randomUUID } from 'node:crypto';
import { parseAuditUrl } from '@nereid/audit';
import type { OwedAudit } from '@nereid/domain/trail';
import { sinkName } from '@nereid/domain/trail/address';
import type { Forgotten } from '@nereid/storage';
import type { WorkerContext } from '../platform/context.ts';
import type { ForgetCommand } from './command.ts';
import { recordPatiently } from './record-patiently.ts';
import type { Outcome, Terminal } from './terminal.ts';

export type ForgetContext = Pick<WorkerContext, 'erasure' | 'signatures' | 'owedAudits' | 'publish' | 'logger'> & {
  readonly server: { current(): { readonly audit: { readonly to: readonly { readonly to: string }[] } } };
};

/** The event is in storage before anything is done, as for each command. */
export async function forgetPerson(
  context: ForgetContext,
  { login, as, isMeant }: ForgetCommand,
  terminal: Terminal,
): Promise<Outcome> {
  const pseudonym = await pseudonymOf(context, login);
  const forget = () =>
    context.erasure.forget({
      ...{ login, pseudonym, isDryRun: !isMeant },
      sign: (redaction) => context.signatures.enclose('decision/redaction', redaction),
    });
  if (!isMeant) {
    const found = describe(context, pseudonym, await forget());
    return { isDone: true, text: `${found}\nNothing was changed. With --yes, it is.` };
  }
  const requestId = randomUUID();
  const at = new Date().toISOString();
  const event = { version: 1, id: `${requestId}:ERASED`, state: 'ERASED', initiatingUser: as, pseudonym, at } as const;
  const owed: OwedAudit = { version: 1, requestId, at, event };
  await context.owedAudits.keep(owed);
  const text = describe(context, pseudonym, await forget());
  const unrecorded = await recordPatiently(context, owed, terminal);
  return { isDone: true, text: unrecorded === undefined ? text : `${text}\n${unrecorded}` };
}

/**
 * The same for the same login, and nobody without our key can try out which login it stands for: the same key signs the same body
 * alike. The envelope itself goes nowhere.
 */
async function pseudonymOf({ signatures }: ForgetContext, login: string): Promise<string> {
  const about = { version: 1, deploymentId: 'none', at: 'never', digest: 'none' } as const;
  const { signature } = await signatures.enclose('decision/redaction', { ...about, pseudonym: login.toLowerCase() });
  return `forgotten-${createHash('sha256').update(signature).digest('hex').slice(0, 12)}`;
}

function describe({ server }: ForgetContext, pseudonym: string, { records, events, kept }: Forgotten): string {
  const { to } = server.current().audit;
  return [
    `${pseudonym} stands for the login in records of ended deployments: ${records}; in their events of the audit trail: ${events}.`,
    `Records that their lanes still need, and that name the person as before: ${kept}.`,
    'Not reached:',
    '- GitHub: check runs, comments and commits',
    ...to.map((place) => `- the audit events that went to ${sinkName(parseAuditUrl(place.to))}`),
    '- audit events without a deployment: those of unlock, force-unlock and drain',
    '- records of closed pull requests, with the reviews of their plans',
    "- Temporal's histories, until the retention of the namespace has passed",
    '- logs of jobs and titles of commits, which may name anybody',
    "- earlier pseudonyms of the same person: the pseudonym changes with the orders' key",
    "- records of lanes and pull requests that are open, the server's file, logs of our processes, backups",
  ].join('\n');
}
