/** The person behind a request, as the proof says that came with it. What the console says of them has to be the same. */
import { coversRepository } from '@nereid/config';
import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import {
  sealedFor,
  type OperatorRequestEvent,
  type LoginProof,
  type RequestEvent,
  type Sender,
} from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { ProviderUnavailableError, whyTokenNotForOperators, type Identified, type Identity } from '@nereid/identity';
import { UnopenableError } from '@nereid/signature';
import type { IntakeCall } from '../intake-call.ts';

type AnyRequest = RequestEvent | OperatorRequestEvent;

export type Proven =
  { readonly kind: 'person'; readonly person: Sender } | { readonly kind: 'nobody'; readonly why: string };

/** A person waits in front of a page for about this long. */
const PATIENCE_MS = 20_000;

/** Throws a `ForgedError` where the console names somebody else than the proof does. */
export async function provenSender(call: IntakeCall, event: AnyRequest): Promise<Proven> {
  const found = await identified(call, event);
  if (found.kind === 'nobody') return found;
  const { person } = found;
  const { login, id, token } = person;
  const isOther = login.toLowerCase() !== event.sender.toLowerCase() || (id !== undefined && id !== event.senderId);
  if (isOther) throw call.context.signatures.forged('request/person', 'the proof of another person', call.delivery);
  const why = token && notPermitted(token, event);
  if (why !== undefined) return { kind: 'nobody', why };
  return { kind: 'person', person: { sender: login, ...defined({ senderId: id }) } };
}

async function identified(call: IntakeCall, event: AnyRequest): Promise<Identified> {
  const { context, askedAt, scheduledAtMs } = call;
  try {
    // It was good when the console received it; work that waits for a worker does not make it worse.
    return await context.identify(await opened(call, event), new Date(askedAt));
  } catch (error) {
    if (error instanceof UnopenableError) return { kind: 'nobody', why: `nobody knows who asked: ${error.message}` };
    if (!(error instanceof ProviderUnavailableError) || Date.now() - scheduledAtMs < PATIENCE_MS) throw error;
    context.logger.warn({ err: error, request: call.delivery }, 'nobody could say who a person is, who is refused');
    return { kind: 'nobody', why: 'nobody could be asked who you are: not now, try again' };
  }
}

async function opened({ context, delivery }: IntakeCall, event: AnyRequest): Promise<LoginProof> {
  const { secret } = await context.requestOpener.open({ subject: delivery, repository: sealedFor(event) }, event.proof);
  return JSON.parse(secret) as LoginProof; // The console made it: it signed the request that holds the seal.
}

function notPermitted(token: NonNullable<Identity['token']>, event: AnyRequest): string | undefined {
  if (event.kind === 'operator-request') return whyTokenNotForOperators(token, event.request.action);
  const { scope } = ACTIONS[event.request.action].console;
  if (!token.scopes.includes(scope)) return `the token ${token.name} has no scope "${scope}"`;
  if (!coversRepository(token, fullName(event.repository)))
    return `the token ${token.name} is not for ${fullName(event.repository)}`;
  return undefined;
}
