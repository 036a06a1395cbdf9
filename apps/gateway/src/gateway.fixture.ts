/** The gateway over real HTTP, with a Temporal that a test can play. */
import { createHmac, createPrivateKey } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Address, type ReloadableServerConfig, readServerConfig, Secret } from '@nereid/config';
import type { IntakeInput } from '@nereid/domain/intake';
import { listen } from '@nereid/process';
import { createKeyPair, createSigner } from '@nereid/signature';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { APP_ID } from './events/payload.fixture.ts';
import type { IssuerConfig } from './issuer/issuer-config.ts';
import { openIssuerSite } from './issuer/issuer-site.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Started } from '@nereid/process';

export const SECRET = 'the webhook secret';

/** With which it signs events. */
export const KEYS = createKeyPair();

const ANY_PORT: Address = { host: '127.0.0.1', port: 0 };

export interface TestGateway {
  readonly url: string;
  readonly context: Context;
  /** What Temporal was given. */
  readonly started: readonly IntakeInput[];
  /** Every line of the log. */
  readonly log: readonly string[];
  close(graceMs?: number): Promise<void>;
}

export interface TestGatewayOptions {
  readonly repositories?: string;
  readonly startIntake?: (input: IntakeInput) => Promise<Started>;
  readonly isTemporalReachable?: () => Promise<boolean>;
  /** `url` is that of the gateway. */
  readonly issuer?: (url: string) => IssuerConfig;
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const started: IntakeInput[] = [];
  const log: string[] = [];
  const accept = () => Promise.resolve<Started>({ kind: 'accepted' });
  const context: Context = {
    logger: pino({ level: 'debug' }, { write: (line: string) => log.push(line) }),
    metrics: createMetrics(),
    server: serverAllowing(options.repositories ?? '[{ match: Codertocat/* }, { match: electron/* }]'),
    webhookSecrets: [new Secret(SECRET)],
    appId: APP_ID,
    signer: createSigner(createPrivateKey(KEYS.privateKey)),
    issuer: undefined,
    startIntake: (input) => {
      started.push(input);
      return (options.startIntake ?? accept)(input);
    },
    isTemporalReachable: options.isTemporalReachable ?? (() => Promise.resolve(true)),
    stopping: new AbortController(),
    close: () => Promise.resolve(),
  };
  // The issuer's URL has the port, which is known once the gateway listens.
  let app = createApp(context);
  const answer = (request: IncomingMessage, response: ServerResponse) => void app(request, response);
  const listener = await listen(answer, ANY_PORT, 'GATEWAY_ADDRESS', { requestMs: 10_000 });
  const url = `http://${listener.address}`;
  if (options.issuer) app = createApp({ ...context, issuer: await openIssuerSite(options.issuer(url)) });
  return {
    url,
    context,
    started,
    log,
    close: (graceMs = 100) => listener.close(graceMs),
  };
}

/** Posts a payload as GitHub does; `headers` replace those of ours, undefined leaves one out. */
export function deliver(
  url: string,
  event: string,
  payload: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Response> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const all: Readonly<Record<string, string | undefined>> = {
    'Content-Type': 'application/json',
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, text]): [string, string][] =>
    text === undefined ? [] : [[name, text]],
  );
  return fetch(`${url}/events`, { method: 'POST', body, headers: given });
}

export async function answerOf(response: Response): Promise<{ status: number; message: string }> {
  const { message } = z.object({ message: z.string() }).parse(await response.json());
  return { status: response.status, message };
}

function serverAllowing(repositories: string): Pick<ReloadableServerConfig, 'current'> {
  const read = readServerConfig(
    `repositories: ${repositories}\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`,
  );
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return { current: () => read.config };
}
