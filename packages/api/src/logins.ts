/** How people log in from a terminal, without giving a password to it, and out again. RFC 8628. */
import { z } from 'zod';
import type { ProblemStatus } from './problem.ts';
import { NoBody } from './requests.ts';

/**
 * The session of a person who logged in from a terminal begins like this. It goes where the token of a script goes, as
 * `Authorization: Bearer`.
 */
export const SESSION_PREFIX = 'nereid_session_';

/** Those that log in and out. They change nothing else. */
export interface LoginOperation {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly summary: string;
  readonly body: z.ZodObject;
  readonly answer: z.ZodType;
  /** With which it answers, besides those of every request with a body. */
  readonly problems: readonly ProblemStatus[];
}

/** Codes of providers have some hundred characters; sealed, some more. */
const DEVICE_LIMIT = 16_000;

/** The address and the code that a person needs to agree, in a browser on any device. */
export const DeviceLogin = z
  .object({
    userCode: z.string().meta({ description: 'The code that the person enters on the page of the provider.' }),
    verificationUri: z.string().meta({ description: 'The address of that page.' }),
    verificationUriComplete: z.string().optional().meta({ description: 'The same page, with the code filled in.' }),
    expiresIn: z.int().min(1).meta({ description: 'For how many seconds the code counts.' }),
    interval: z.int().min(1).meta({ description: 'How many seconds lie between two questions, at least.' }),
    device: z.string().meta({ description: 'Names this login to `finishDeviceLogin`. A secret.' }),
  })
  .meta({ id: 'DeviceLogin' });
export type DeviceLogin = z.infer<typeof DeviceLogin>;

export const DeviceBody = z.strictObject({ device: z.string().min(1).max(DEVICE_LIMIT) }).meta({ id: 'DeviceBody' });

export const DeviceAnswer = z
  .discriminatedUnion('state', [
    z.object({
      state: z.literal('pending'),
      slowDownS: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'By how many seconds the interval grows, from now on. Absent: it stays.' }),
    }),
    z.object({ state: z.literal('done'), session: z.string() }),
  ])
  .meta({ id: 'DeviceAnswer' });
export type DeviceAnswer = z.infer<typeof DeviceAnswer>;

export const SessionAnswer = z
  .object({ session: z.string().meta({ description: 'Counts from now on; the same where it need not be renewed.' }) })
  .meta({ id: 'SessionAnswer' });
export type SessionAnswer = z.infer<typeof SessionAnswer>;

export const LogoutAnswer = z
  .object({ sentence: z.string().meta({ description: 'For the person.' }) })
  .meta({ id: 'LogoutAnswer' });
export type LogoutAnswer = z.infer<typeof LogoutAnswer>;

export const LOGIN_OPERATIONS = {
  beginDeviceLogin: {
    path: '/login/device',
    summary: 'Begins a login from a terminal: the person agrees in a browser.',
    body: NoBody,
    answer: DeviceLogin,
    problems: [404, 409],
  },
  finishDeviceLogin: {
    path: '/login/device/token',
    summary: 'Asks whether the person has agreed.',
    body: DeviceBody,
    answer: DeviceAnswer,
    problems: [404, 409],
  },
  renewSession: {
    path: '/login/renew',
    summary:
      'Renews the session that the request has, once other operations refuse it. One such request at a time: what a session is renewed with counts once.',
    body: NoBody,
    answer: SessionAnswer,
    problems: [401],
  },
  logOut: {
    path: '/logout',
    summary: 'Ends the session that the request has, at its provider as well.',
    body: NoBody,
    answer: LogoutAnswer,
    problems: [401],
  },
} as const satisfies Readonly<Record<string, LoginOperation>>;

export type LoginOperationName = keyof typeof LOGIN_OPERATIONS;
