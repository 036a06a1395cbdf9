/** A login from a terminal, from its code to its session. */
import type { DeviceAnswer, DeviceLogin } from '@nereid/api';
import type { Identify } from '@nereid/identity';
import { SLOWER_BY_S } from '../provider/provider.ts';
import type { DeviceCode } from './device-codes.ts';
import { answerOf, messageOf, notLoggedIn, tooMany, type Step } from './step.ts';
import type { TerminalLogin } from './terminal-login.ts';

/** `address` is the client's, where it counts. Throws a `ProviderUnavailableError`. */
export async function beginDeviceLogin(login: TerminalLogin, address: string | undefined): Promise<Step> {
  const waitS = await login.limits.ofAddress(address);
  if (waitS > 0) return tooMany(waitS);
  const begun = await login.limits.unlessBusy(() => login.provider.beginDevice());
  if (begun === 'busy') return tooMany(1);
  if (begun.kind === 'refused') return notPossible(begun.why);
  const { kind: _begun, code, expiresInS: expiresIn, intervalS: interval, ...shown } = begun;
  const device = await login.deviceCodes.seal(code, expiresIn);
  return answerOf({ ...shown, expiresIn, interval, device } satisfies DeviceLogin);
}

/** Throws a `ProviderUnavailableError`. */
export async function finishDeviceLogin(
  login: TerminalLogin,
  identify: Identify,
  { device, address }: { readonly device: string; readonly address: string | undefined },
): Promise<Step> {
  const code = await login.deviceCodes.open(device);
  if (code !== undefined) return sessionOf(login, identify, code);
  const waitS = await login.limits.ofAddress(address);
  return waitS > 0 ? tooMany(waitS) : notLoggedIn(NOT_OURS);
}

async function sessionOf(login: TerminalLogin, identify: Identify, { id, code }: DeviceCode): Promise<Step> {
  const { limits, provider, terminalSessions } = login;
  if ((await limits.ofDevice(id)) > 0) return pending(true);
  const found = await provider.finishDevice(code);
  if (found.kind === 'pending') return pending(found.isTooOften);
  if (found.kind === 'refused') return notLoggedIn(`${found.why}: begin again`);
  const identified = await identify(found.tokens.proof, new Date());
  if (identified.kind === 'nobody') return notLoggedIn(identified.why);
  const waitS = await limits.ofPerson(identified.person.login);
  if (waitS > 0) return tooMany(waitS);
  const session = await terminalSessions.begin(found.tokens);
  return session === undefined ? notLoggedIn(TOO_LONG) : answerOf({ state: 'done', session } satisfies DeviceAnswer);
}

function pending(isTooOften: boolean): Step {
  return answerOf({ state: 'pending', ...(isTooOften && { slowDownS: SLOWER_BY_S }) } satisfies DeviceAnswer);
}

function notPossible(why: string): Step {
  const sentence = `Nobody can log in from a terminal here: ${why}. A token works as well: operators make one with nereid token.`;
  return messageOf({ status: 409, title: 'Not possible', sentence });
}

const NOT_OURS = 'it did not begin at this console, or the code has expired: begin again';

const TOO_LONG =
  'what the provider says about you is too long for a request: ask the operators to ask it for fewer claims';
