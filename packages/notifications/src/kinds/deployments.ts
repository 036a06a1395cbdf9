/** Shows on the forge what is deployed where: one deployment of the forge for each apply. */
import type { DeploymentsTarget } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import {
  ForgeRefusedError,
  ForgeShutOutError,
  ForgeUnavailableError,
  plain,
  type EnvironmentDeployment,
  type Environments,
  type Forge,
} from '@nereid/forge';
import { reasonOf } from '@nereid/webhook';
import { DELIVERED, type Answer, type Sender } from '../answer.ts';

/** The parts of the forge that have deployments. */
export interface ForgeOfDeployments extends Pick<Forge, 'name' | 'repositories'> {
  readonly environments?: Pick<Environments, 'show'>;
}

export function createDeployments({ environment }: DeploymentsTarget, forge: ForgeOfDeployments | undefined): Sender {
  return {
    subjectOf: ({ deployment, id }) => deployment?.id ?? id,
    // An account is an installation, which has limits of its own.
    queueOf: ({ repository = '' }) => repository.split('/')[0] ?? '',
    async send(notification, { note }) {
      // First: a sample would else seem to have arrived.
      if (forge?.environments === undefined) return withoutForge(forge);
      const shown = shownOf(notification, environment, note !== undefined);
      if (shown === undefined) return DELIVERED;
      try {
        const number = await show({ ...forge, environments: forge.environments }, notification, shown, note);
        return { kind: 'delivered', note: shown.state === 'in_progress' ? String(number) : OVER };
      } catch (error) {
        return answerOf(error);
      }
    },
  };
}

/** Nothing more is written about it. */
const OVER = '';

function withoutForge(forge: ForgeOfDeployments | undefined): Answer {
  const reason = forge
    ? `${forge.name} has no list of deployments: remove deployments from the file`
    : 'only a control worker writes deployments, and there are no samples of them';
  return { kind: 'refused', reason };
}

/** The lease of the worker that delivers is twice as long. */
const WITHIN_MS = 30_000;

async function show(
  { name, environments, repositories }: Required<ForgeOfDeployments>,
  { repository = '' }: Notification,
  shown: EnvironmentDeployment,
  note: string | undefined,
): Promise<number> {
  const [owner = '', repo = ''] = repository.split('/');
  const signal = AbortSignal.timeout(WITHIN_MS);
  const installationId = await repositories.installationOf({ owner, name: repo });
  if (installationId === undefined)
    throw new ForgeRefusedError(`${name} does not let Nereid into ${repository}`, { status: 404 });
  const known = note === undefined ? undefined : Number(note);
  return environments.show({ owner, name: repo, installationId }, shown, known, { begin: signal, signal });
}

/** A repository that shuts Nereid out holds up no other one. */
function answerOf(error: unknown): Answer {
  if (error instanceof ForgeRefusedError || error instanceof ForgeShutOutError)
    return { kind: 'refused', reason: error.message };
  // Such as the page of a proxy in place of JSON.
  if (!(error instanceof ForgeUnavailableError)) return { kind: 'later', reason: `no answer (${reasonOf(error)})` };
  const { message: reason, retryAfterMs } = error;
  return { kind: 'later', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Undefined of a deployment whose apply did not begin. */
function shownOf(
  { deployment, root, sentence, type, links }: Notification,
  template: string,
  isShown: boolean,
): EnvironmentDeployment | undefined {
  if (deployment === undefined || root === undefined || links.page === undefined) return undefined;
  if (!isShown && !HAVE_APPLIED.has(deployment.status)) return undefined;
  const state = STATES[type];
  return (
    state && {
      id: deployment.id,
      sha: deployment.revision,
      environment: plain(environmentOf(template, root), ENVIRONMENT_LIMIT),
      state,
      sentence: plain(sentence, SENTENCE_LIMIT),
      url: links.page,
    }
  );
}

type Status = NonNullable<Notification['deployment']>['status'];

/** That it was being applied may never have been said: an apply may take no longer than a message. */
const HAVE_APPLIED: ReadonlySet<Status> = new Set([
  'applying',
  'succeeded',
  'apply-failed',
  'apply-outcome-unknown',
] as const);

const STATES: Readonly<Partial<Record<Notification['type'], EnvironmentDeployment['state']>>> = {
  applying: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  'outcome-unknown': 'failure',
  'not-deployed': 'inactive',
};

/** GitHub takes no more of either. */
const ENVIRONMENT_LIMIT = 255;
const SENTENCE_LIMIT = 140;

/** The names of root and folder come from a repository: what they contain is no placeholder. */
function environmentOf(template: string, { name, directory }: NonNullable<Notification['root']>): string {
  return template.replaceAll(/\{(root|environment)\}/g, (_all, key) =>
    key === 'root' ? name : folderAbove(directory),
  );
}

/** `prod` of `infra/prod/network`. */
function folderAbove(directory: string): string {
  return directory.split('/').at(-2) ?? 'production';
}
