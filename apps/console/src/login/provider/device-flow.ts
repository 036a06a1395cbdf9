/** A login on a device that has no browser: the person agrees elsewhere, and we ask whether they have. RFC 8628. */
import { defined } from '@nereid/domain/defined';
import * as client from 'openid-client';
import { codeOf, refusalOf } from './asked.ts';
import type { DeviceAnswer, DeviceBegun, LoginTokens } from './provider.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What RFC 8628 has where the provider says nothing. */
const INTERVAL_S = 5;

/** Nobody waits longer for an answer, whatever the provider says. */
const LONGEST_INTERVAL_S = 60;

/** A person looks for a browser, and types a password; a code that counts for longer is asked for in vain. */
const LONGEST_LIFE_S = 1_800;

/** The App or the client may not do it. Some providers have nothing but `invalid_request` to say so. */
const SWITCHED_OFF: ReadonlySet<string> = new Set(['device_flow_disabled', 'unauthorized_client', 'invalid_request']);

export interface DeviceFlow {
  /** Of the provider, for people. */
  readonly name: string;
  readonly config: client.Configuration;
  /** A clause for operators. */
  readonly howToSwitchOn: string;
  readonly tokensOf: (answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers) => LoginTokens;
}

export async function beginDevice(
  { name, config, howToSwitchOn }: DeviceFlow,
  parameters: Readonly<Record<string, string>>,
): Promise<DeviceBegun> {
  try {
    const answer = await client.initiateDeviceAuthorization(config, { ...parameters });
    const { verification_uri_complete: verificationUriComplete } = answer;
    return {
      kind: 'begun',
      ...{ code: answer.device_code, userCode: answer.user_code, verificationUri: answer.verification_uri },
      ...defined({ verificationUriComplete }),
      expiresInS: within(answer.expires_in, LONGEST_LIFE_S),
      intervalS: within(answer.interval ?? INTERVAL_S, LONGEST_INTERVAL_S),
    };
  } catch (error) {
    return SWITCHED_OFF.has(codeOf(error)) ? { kind: 'refused', why: howToSwitchOn } : refusalOf(name, error);
  }
}

/** Asks once. */
export async function finishDevice({ name, config, tokensOf }: DeviceFlow, code: string): Promise<DeviceAnswer> {
  try {
    const tokens = tokensOf(await client.genericGrantRequest(config, GRANT, { device_code: code }));
    return { kind: 'tokens', tokens };
  } catch (error) {
    const answer = codeOf(error);
    if (answer === 'authorization_pending') return { kind: 'pending', isTooOften: false };
    if (answer === 'slow_down') return { kind: 'pending', isTooOften: true };
    return refusalOf(name, error);
  }
}

function within(seconds: number, limit: number): number {
  return Math.max(1, Math.min(limit, Math.ceil(seconds)));
}
