/** The device flow of the App: a program shows a code, a person enters it in their browser, and the program asks for a token. */
import { randomBytes, randomInt } from 'node:crypto';
import type { World } from '../world.ts';
import type { TokenAnswer } from './oauth.ts';

/** What a person decides about a code. */
export type Decision = { readonly kind: 'agreed'; readonly login: string } | { readonly kind: 'denied' };

interface DeviceCode {
  readonly userCode: string;
  readonly expiresAt: number;
  intervalS: number;
  askedAt: number;
  decision: Decision | { readonly kind: 'pending' };
}

type Taken =
  { readonly kind: 'agreed'; readonly login: string } | { readonly kind: 'refused'; readonly of: TokenAnswer };

/** As on GitHub. */
const LIFE_S = 900;
const SLOWER_BY_S = 5;

/** Timers of programs may be early by as much. */
const TOLERANCE_MS = 100;

/** Letters that nobody mistakes for others. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** They need not survive a restart. By device code. */
const codes = new WeakMap<World, Map<string, DeviceCode>>();

export interface DeviceRequestAnswer {
  readonly status: 200 | 400 | 404;
  readonly body: TokenAnswer;
}

export function answerDeviceRequest(world: World, fields: Readonly<Record<string, string>>): DeviceRequestAnswer {
  const { oauth, url } = world;
  if (oauth === undefined || fields['client_id'] !== oauth.clientId)
    return { status: 404, body: { error: 'Not Found' } };
  if (oauth.deviceFlow === undefined) return { status: 400, body: DISABLED };
  const { intervalS } = oauth.deviceFlow;
  const deviceCode = randomBytes(20).toString('hex');
  const userCode = `${letters()}-${letters()}`;
  const code: DeviceCode = {
    ...{ userCode, expiresAt: Date.now() + LIFE_S * 1_000, intervalS, askedAt: -Infinity },
    decision: { kind: 'pending' },
  };
  codesOf(world).set(deviceCode, code);
  const body = {
    ...{ device_code: deviceCode, user_code: userCode, verification_uri: `${url}/login/device` },
    ...{ expires_in: LIFE_S, interval: intervalS },
  };
  return { status: 200, body };
}

/** False when there is no such code, or no longer. */
export function decideDevice(world: World, userCode: string, decision: Decision): boolean {
  const code = [...codesOf(world).values()].find((each) => each.userCode === userCode.trim().toUpperCase());
  if (code?.decision.kind !== 'pending' || code.expiresAt <= Date.now()) return false;
  code.decision = decision;
  return true;
}

/** One question of the program. A code counts once. */
export function redeemDeviceCode(world: World, deviceCode: string): Taken {
  const all = codesOf(world);
  const code = all.get(deviceCode);
  if (world.oauth?.deviceFlow === undefined) return { kind: 'refused', of: DISABLED };
  if (code === undefined) return refused('incorrect_device_code', 'The device_code provided is not valid.');
  if (code.expiresAt <= Date.now()) return refused('expired_token', 'This device_code has expired.');
  const isTooOften = Date.now() - code.askedAt < code.intervalS * 1_000 - TOLERANCE_MS;
  code.askedAt = Date.now();
  if (isTooOften) {
    code.intervalS += SLOWER_BY_S;
    const { of } = refused('slow_down', 'Too many requests have been made in the same timeframe.');
    return { kind: 'refused', of: { ...of, interval: code.intervalS } };
  }
  const { decision } = code;
  if (decision.kind === 'pending')
    return refused('authorization_pending', 'The authorization request is still pending.');
  all.delete(deviceCode);
  return decision.kind === 'agreed' ? decision : refused('access_denied', 'The authorization request was denied.');
}

function codesOf(world: World): Map<string, DeviceCode> {
  const all = codes.get(world) ?? new Map<string, DeviceCode>();
  codes.set(world, all);
  return all;
}

function letters(): string {
  return Array.from({ length: 4 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

const DISABLED: TokenAnswer = {
  error: 'device_flow_disabled',
  error_description: 'Device Flow must be explicitly enabled for this App',
};

function refused(error: string, description: string): Extract<Taken, { readonly kind: 'refused' }> {
  return { kind: 'refused', of: { error, error_description: description } };
}
