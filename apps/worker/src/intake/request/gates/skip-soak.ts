/** Somebody lets the next wave of a merge begin, whatever holds up the one before it. Storage has it; lanes are only woken. */
import { REASON_LIMIT } from '@nereid/domain/actions';
import { shortSha } from '@nereid/domain/deployment';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import type { Rollout } from '@nereid/domain/rollout';
import { fullName } from '@nereid/domain/root';
import { askerOf, byOf, decide } from '../../../person/permission.ts';
import { broughtBy } from '../../../person/contributors.ts';
import { resumedEvent } from '../../../rollout/waves/checks/halt-events.ts';
import { wakeWaves } from '../../../rollout/waves/notify-waves.ts';
import { NO_ROOT } from '../../action-subject.ts';
import type { IntakeCall } from '../../intake-call.ts';
import { signalled } from '../../results.ts';
import { refuseRequest, type ProvenRequest } from '../refuse-request.ts';

/** A person waits for the answer. */
const WAKE_MS = 5_000;

/** The request names the wave: whoever reaches Temporal can send it again, and skips no other one. */
export async function skipSoak(
  call: IntakeCall,
  event: ProvenRequest,
  { revision, wave, reason }: RequestFor<'skip_soak'>,
): Promise<IntakeResult> {
  const { context } = call;
  const { repository, policy, sender } = event;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const brought = () => broughtBy(revision);
  const asked = { repository, policy, root: 'all', action: 'skip_soak', ...askerOf(event), brought } as const;
  const decision = await decide(call, asked);
  if (decision.kind === 'no') return refuse(decision.sentence);

  const rollouts = await context.rolloutRecords.ofRevision(repository, revision);
  const inWaves = rollouts.filter(({ waves = [] }) => waves.length > 0);
  const most = Math.max(0, ...inWaves.map(({ waves = [] }) => waves.length - 1));
  if (most === 0) return refuse(`${shortSha(revision)} of ${fullName(repository)} is not deployed in waves`);
  if (!Number.isSafeInteger(wave) || wave < 1 || wave > most)
    return refuse(`expected the number of a wave that others wait for, from 1 to ${most}, found ${String(wave)}`);

  for (const rollout of inWaves) await store(call, event, { rollout, wave, reason });
  call.userActions.accepted({ ...NO_ROOT, revision, reason: reason.slice(0, REASON_LIMIT) });
  for (const rollout of inWaves) await publishResumed(call, event, { rollout, wave });
  const isComplete = await wakeNext(call, event, { rollouts: inWaves, wave });
  const later = isComplete ? '' : '; some could not be told, and look by themselves within an hour';
  return signalled(
    `@${sender} skipped wave ${wave} of ${shortSha(revision)}: the next wave does not wait for it${later}`,
    [],
  );
}

interface Skipping extends Pick<RequestFor<'skip_soak'>, 'wave' | 'reason'> {
  readonly rollout: Rollout;
}

async function store(
  { context, delivery, askedAt }: IntakeCall,
  event: ProvenRequest,
  { rollout, wave, reason }: Skipping,
): Promise<void> {
  const { owner, name } = event.repository;
  const skipped = await context.signatures.enclose('decision/skip-soak', {
    ...{ version: 1, requestId: delivery, repository: { owner, name }, rollout: rollout.id, wave },
    ...{ reason: reason.slice(0, REASON_LIMIT), ...byOf(event), at: askedAt },
  });
  await context.rolloutRecords.skip({ owner, name }, skipped);
}

/** If a check had halted that wave. Never throws: somebody skips it, perhaps because its record cannot be read. */
async function publishResumed(
  { context }: IntakeCall,
  { repository, sender }: ProvenRequest,
  { rollout, wave }: { readonly rollout: Rollout; readonly wave: number },
): Promise<void> {
  const { owner, name } = repository;
  const about = { repository: { owner, name }, rollout: rollout.id, wave };
  try {
    const stored = await context.waveCheckRecords.read(repository, rollout.id, wave);
    const found = stored && (await context.signatures.openIfGenuine('decision/wave-checks', stored.checks, about));
    if (found?.body.state !== 'halted') return;
    const resumption = { number: wave, haltedAt: found.body.at, why: `@${sender} skipped it` };
    await context.publish(resumedEvent(repository, rollout, resumption));
  } catch (error) {
    context.logger.warn({ err: error, repository: fullName(repository) }, 'alerts of a halted rollout stay open');
  }
}

/** Returns whether all lanes were told. Never throws: nothing depends on it. */
async function wakeNext(
  { context }: IntakeCall,
  { repository }: ProvenRequest,
  { rollouts, wave }: { readonly rollouts: readonly Rollout[]; readonly wave: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(WAKE_MS);
  try {
    for (const rollout of rollouts) await wakeWaves(context, repository, { rollout, number: wave }, signal);
    return true;
  } catch (error) {
    context.logger.warn({ err: error, repository: fullName(repository) }, 'lanes of the next wave could not be told');
    return false;
  }
}
