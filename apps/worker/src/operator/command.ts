/** What an operator typed. */
import { parseLaneName, type LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { LOGIN } from '@nereid/domain/person';
import { parseArgs } from 'node:util';

export type OperatorCommand =
  | { readonly verb: 'status'; readonly lane: LaneName }
  | { readonly verb: 'unlock'; readonly lane: LaneName; readonly as: string }
  /** Without a deployment, what runs is meant. */
  | { readonly verb: 'cancel'; readonly lane: LaneName; readonly as: string; readonly deploymentId?: string }
  | ForgetCommand;

/** Without `isMeant`, the operator is told what would change. */
export interface ForgetCommand {
  readonly verb: 'forget-person';
  readonly login: string;
  readonly as: string;
  readonly isMeant: boolean;
}

/** Its message is for whoever typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

const USAGE = `Usage, on a machine whose worker has the role control, with that worker's environment:

  node apps/worker/src/operator/main.ts status OWNER/NAME/ROOT
  node apps/worker/src/operator/main.ts unlock OWNER/NAME/ROOT --as LOGIN
  node apps/worker/src/operator/main.ts cancel OWNER/NAME/ROOT --as LOGIN [--deployment ID]
  node apps/worker/src/operator/main.ts forget-person PERSON --as LOGIN [--yes]

LOGIN is yours, one of console.operators in the server's file. It is in the audit trail. PERSON is a login on GitHub. Without
--yes, forget-person says what it would change.`;

/** Throws a `UsageError`. */
export function readCommand(args: readonly string[]): OperatorCommand {
  const { positionals, values } = parsed(args);
  const [verb = '', text = '', ...more] = positionals;
  if (verb === 'forget-person') return readForgetting(positionals.slice(1), values);
  if (verb !== 'status' && verb !== 'unlock' && verb !== 'cancel')
    throw new UsageError(
      `expected status, unlock, cancel or forget-person, found ${verb === '' ? 'nothing' : verb}\n\n${USAGE}`,
    );
  const lane = parseLaneName(text);
  if (lane === undefined || more.length > 0)
    throw new UsageError(
      `expected one lane as OWNER/NAME/ROOT, found ${[text, ...more].join(' ') || 'none'}\n\n${USAGE}`,
    );
  if (verb === 'status') return { verb, lane };
  const { as, deployment: deploymentId } = values;
  if (as === undefined) throw new UsageError(`expected your login after --as, found none\n\n${USAGE}`);
  if (verb === 'unlock') return { verb, lane, as };
  return { verb, lane, as, ...defined({ deploymentId }) };
}

function readForgetting(names: readonly string[], { as, yes = false }: Flags): ForgetCommand {
  const [login = '', ...more] = names;
  if (!LOGIN.test(login) || more.length > 0)
    throw new UsageError(`expected one login of a person, found ${names.join(' ') || 'none'}\n\n${USAGE}`);
  if (as === undefined) throw new UsageError(`expected your login after --as, found none\n\n${USAGE}`);
  return { verb: 'forget-person', login, as, isMeant: yes };
}

interface Flags {
  readonly as?: string | undefined;
  readonly yes?: boolean | undefined;
}

function parsed(args: readonly string[]) {
  try {
    const options = { as: { type: 'string' }, deployment: { type: 'string' }, yes: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}
