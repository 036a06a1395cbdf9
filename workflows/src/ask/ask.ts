/** The ask workflow: a host, the console or control itself asks control something, and one activity answers, each kind with its own patience. */
import { ApplicationFailure, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Question } from '@nereid/domain/activities';

/** Control or the forge answers within a second or two. A host asks again when it got nothing, so nothing is tried for long. */
const TOKEN = {
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '45s',
  retry: { initialInterval: '1s', maximumInterval: '10s' },
} as const satisfies ActivityOptions;

const PATIENCE = {
  sealReadToken: TOKEN,
  sealIdentityToken: TOKEN,
  // A page waits for it, and the console asks again when it got nothing.
  askAccess: {
    startToCloseTimeout: '10s',
    scheduleToCloseTimeout: '15s',
    retry: { initialInterval: '500ms', maximumInterval: '5s' },
  },
  // An attempt reads two records and asks a lane and the forge, each of which has its own limit: two minutes at worst. After an
  // hour, the next round of the host's janitor starts the workflow again.
  showLateOutcome: {
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    scheduleToCloseTimeout: '1h',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  },
  // An attempt may fetch the repository, and asks the forge for two pull requests. Later, nobody waits for the plan any more.
  prepareRevert: {
    startToCloseTimeout: '10m',
    heartbeatTimeout: '30s',
    scheduleToCloseTimeout: '1h',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  },
} as const satisfies Readonly<Record<Question['kind'], ActivityOptions>>;

/** `AskActivities` for a question of any kind, which pairs the two. */
interface Answering {
  answer(...question: [Question['kind'], Question['about']]): Promise<unknown>;
}

/** Returns the answer of this kind. */
export async function ask({ kind, about }: Question): Promise<unknown> {
  const { version }: { readonly version: number } = 'body' in about ? about.body : about; // A newer host or console may already be running.
  if (version !== 1 || !Object.hasOwn(PATIENCE, kind)) {
    const message = `expected a question that this worker knows, found ${kind} of version ${version}; upgrade the control workers`;
    throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_QUESTION');
  }
  const { answer } = proxyActivities<Answering>({ ...PATIENCE[kind], summary: kind });
  return answer(kind, about);
}
