/**
 * Whether the forge knows of a press. The gateway's key says who pressed what; whoever took over the gateway could say it as well.
 * With `verify_presses`, the forge's own log of its webhooks has to say the same.
 */
import { buttonIdentifier } from '@nereid/domain/deployment';
import type { ButtonEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { Press } from '@nereid/forge';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { askPatiently } from '../../person/ask-patiently.ts';
import type { IntakeCall } from '../intake-call.ts';

type PressCall = Pick<IntakeCall, 'delivery' | 'askedAt' | 'scheduledAtMs' | 'answeredIn'> & {
  readonly context: OfForge<'name' | 'buttons'> & Pick<WorkerContext, 'server' | 'signatures' | 'logger'>;
};

/** A forge logs a webhook when it has its answer, and shows it some seconds later. */
const LOGGED_WITHIN_MS = 60_000;

/** How far the clocks of the forge and of the gateway may differ. */
const CLOCKS_MS = 5 * 60_000;

/** The forge may log it at any moment. */
class PressNotLoggedError extends Error {
  override readonly name = 'PressNotLoggedError';
  readonly code = 'PRESS_NOT_LOGGED';

  constructor(forge: string, delivery: string) {
    super(`expected the delivery ${delivery} in the log of webhooks of ${forge}, found none yet; ask again`);
  }
}

/** Returns why the press is not believed; undefined when it is. Throws, to be tried again, while the forge may not have logged it. */
export async function whyNotPressed(call: PressCall, event: ButtonEvent): Promise<string | undefined> {
  const { context, delivery, askedAt, scheduledAtMs, answeredIn } = call;
  // In the console, people prove to control who they are.
  if (answeredIn === 'console') return undefined;
  const { name, buttons } = context.forge;
  if (buttons === undefined) return `${name} has no buttons: nothing was done`;
  if (!context.server.current().verifyPresses) return undefined;
  const since = new Date(Date.parse(askedAt) - CLOCKS_MS).toISOString();
  const ask = async () => ({ press: await buttons.findPress(delivery, since) });
  const asked = await askPatiently(call, ask, undefined);
  if (asked === undefined) return `${name} could not be asked whether it knows this press: not now, try again`;
  const { press } = asked;
  if (press === undefined && Date.now() - scheduledAtMs < LOGGED_WITHIN_MS)
    throw new PressNotLoggedError(name, delivery);
  if (press !== undefined && isOf(press, event)) return undefined;
  const found = press === undefined ? 'no such delivery' : 'another press';
  context.signatures.forged('event/github', `${found} in the log of webhooks of ${name}`, delivery);
  return `${name} does not know this press: nothing was done`;
}

function isOf(press: Press, { repository, checkRun, button, sender, senderId }: ButtonEvent): boolean {
  return (
    String(press.repository).toLowerCase() === fullName(repository).toLowerCase() &&
    press.installationId === repository.installationId &&
    press.checkRunId === checkRun.id &&
    press.checkRunName === checkRun.name &&
    press.headSha === checkRun.headSha &&
    (press.externalId ?? '') === checkRun.externalId &&
    press.identifier === buttonIdentifier(button) &&
    press.sender === sender &&
    (senderId === undefined || press.senderId === senderId)
  );
}
