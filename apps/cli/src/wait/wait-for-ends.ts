/** Waits until deployments have ended, and says meanwhile how far they are. */
import type { DeploymentDetail } from '@nereid/api';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import type { Call } from '../call.ts';
import type { Answer, Client } from '../client/client.ts';
import { findDeployment, laneOf, pageOf } from '../client/find-deployment.ts';
import { pause } from '../client/send.ts';
import { EXIT, ExitError, type ExitCode } from '../exit-code.ts';
import { stateLook } from '../output/looks.ts';
import { hasEnded, progressText, reviewReason } from '../show/progress-text.ts';
import { createPatience } from './patience.ts';

export interface AwaitedDeployment {
  readonly id: string;
  /** `owner/name/root`. */
  readonly lane: string;
  /** The digest of its plan that was answered: nobody has to be told to review that one. */
  readonly answered?: string;
}

/** As pages ask; of many deployments, each less often. Milliseconds. */
const POLL_MS = 2_000;
const POLL_MORE_MS = 200;

/** A lane hears of a new deployment within seconds. */
const APPEARS_MS = 60_000;

/** A deployment that is skipped goes with another one, which may be skipped as well. */
const CARRIERS = 20;

/**
 * Prints the end of each. Returns `failed` unless all of them took effect. Throws when another plan than the one that was answered
 * waits for a review: that wait has no end without a person.
 */
export async function waitForEnds(
  call: Call,
  client: Client,
  awaited: readonly AwaitedDeployment[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const pauseMs = POLL_MS + POLL_MORE_MS * (awaited.length - 1);
  const ends = await Promise.all(awaited.map((one) => follow({ call, client, signal, pauseMs }, one)));
  return ends.every((status) => WELL.includes(status)) ? EXIT.done : EXIT.failed;
}

/** One that is skipped without a carrier is deployed already, or a newer one is. */
const WELL: readonly DeploymentStatus[] = ['succeeded', 'no-changes', 'planned', 'skipped'];

interface Following {
  readonly call: Call;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly pauseMs: number;
}

async function follow(following: Following, first: AwaitedDeployment): Promise<DeploymentStatus> {
  const { call } = following;
  let { id } = first;
  for (let hops = 0; ; hops += 1) {
    const { json, value } = await untilEnded(following, { ...first, id });
    const { carrier } = value.deployment;
    const { status } = value.progress;
    if (!hasEnded(status)) throw plannedAgain(call, { json, value });
    if (status !== 'skipped' || carrier === undefined || hops === CARRIERS) {
      call.json(json);
      call.screen.line(`${first.lane}: `, stateLook(status), withColon(progressText(value)));
      return status;
    }
    call.notes.line(`${first.lane}: goes with deployment ${carrier.deploymentId}, which contains it`);
    id = carrier.deploymentId;
  }
}

/** Returns it once it has ended, or once another plan than the one that was answered waits for a review. */
async function untilEnded(
  { call, client, signal, pauseMs }: Following,
  { id, lane, answered }: AwaitedDeployment,
): Promise<Answer<DeploymentDetail>> {
  const { notes, world } = call;
  const startedMs = world.now();
  const onAway = (why: string) => {
    notes.line(`${lane}: ${why}; still waiting`);
  };
  const patience = createPatience({ signal, now: world.now, onAway });
  let shown = '';
  for (;;) {
    try {
      const found = await findDeployment(client, { parameters: { id }, query: { lane } }, signal);
      patience.wasThere();
      if (hasEnded(found.value.progress.status)) return found;
      const text = await storyOf(client, found.value, signal);
      const story = `${found.value.progress.status} ${text}`;
      const isReview = answered !== undefined && found.value.progress.status === 'awaiting-review';
      const isAnother = isReview && found.value.progress.plan?.digest !== answered;
      if (isAnother || (story !== shown && !isReview)) showStory(call, client, found.value, text);
      if (isAnother) return found;
      shown = story;
    } catch (error) {
      const isToCome = error instanceof ExitError && error.exitCode === EXIT.notFound;
      if (!isToCome || world.now() - startedMs > APPEARS_MS) await patience.endure(error);
    }
    await pause(pauseMs, signal);
  }
}

function plannedAgain(call: Call, { json, value }: Answer<DeploymentDetail>): ExitError {
  call.json(json);
  const lane = laneOf(value);
  return new ExitError(EXIT.plannedAgain, `${lane} was planned again, and waits for a review: nereid confirm ${lane}`);
}

/** While it waits behind others, what they wait for says more. */
async function storyOf(client: Client, found: DeploymentDetail, signal: AbortSignal): Promise<string> {
  const text = progressText(found);
  const { progress, lock, ahead = 0, lane } = found;
  if (progress.status !== 'queued' || lock || progress.reason !== undefined || ahead === 0) return text;
  const { owner, name, rootName: root } = lane;
  const { sentence } = (await client.get('getLane', { parameters: { owner, name, root } }, signal)).value;
  return sentence === undefined ? text : `${text}: ${sentence}`;
}

function showStory({ notes }: Call, client: Client, found: DeploymentDetail, text: string): void {
  const { status } = found.progress;
  notes.line(`${laneOf(found)}: `, stateLook(status), withColon(text));
  if (status !== 'awaiting-review') return;
  const why = reviewReason(found.progress);
  if (why !== undefined) notes.line(`  ${why}`);
  notes.line(`  review it at ${pageOf(client, found)}`);
  if (found.links.checkRun !== undefined) notes.line(`  or at ${found.links.checkRun}`);
  notes.line(`  or with nereid confirm ${laneOf(found)}`);
}

function withColon(text: string): string {
  return text === '' ? '' : `: ${text}`;
}
