/** A Temporal as companies have it: with TLS, certificates on both sides, and sometimes not yet set up. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { LocatedProblem } from '@nereid/config';
import {
  createTestAuthority,
  freePort,
  startRefusingTemporal,
  startTlsFront,
  type TestAuthority,
  type TestCertificate,
} from '@nereid/test-kit';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { ConnectionOptions } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { NativeConnection } from '@temporalio/worker';
import { checkTemporal, type TemporalChecked } from './check-temporal.ts';

const YESTERDAY = new Date(Date.now() - 86_400_000);

/** The product waits less; here, only what hangs takes as long. */
const HANGS_AFTER_MS = 60_000;

const environment = environmentOfThisFile();
let authority: TestAuthority;
let another: TestAuthority;

beforeAll(async () => {
  [authority, another] = [await createTestAuthority(), await createTestAuthority()];
});

describe('a Temporal that is set up', () => {
  test('is fit', async () => {
    expect(await check({})).toMatchObject({ kind: 'fit' });
  });

  test('is fit with TLS, by an authority of its own and a name of its own', async () => {
    const served = await authority.issue({ name: 'temporal.example' });
    await using front = await startTlsFront({ target: environment.address, ...served });

    const tls = { ...trusting(authority), serverNameOverride: 'temporal.example' };

    expect(await check({ address: addressOf(front), tls })).toMatchObject({ kind: 'fit' });
  });

  test('is fit where it asks for our certificate, also for the connection of workers', async () => {
    const ours = await authority.issue({ name: 'worker' });
    await using front = await startTlsFront({
      target: environment.address,
      ...(await authority.issue()),
      clientAuthority: authority.certificate,
    });
    const options = { address: addressOf(front), tls: { ...trusting(authority), ...showing(ours) } };

    const checked = await check(options);
    const connection = await NativeConnection.connect(options);

    expect(checked).toMatchObject({ kind: 'fit' });
    await connection.close();
  });
});

describe('a Temporal that somebody has to set up is refused with a sentence', () => {
  test('an older server', async () => {
    const { path, message } = problemIn(await check({ oldestServer: '99.1.0' }));

    expect(path).toBe('TEMPORAL_ADDRESS');
    expect(message).toMatch(
      /^expected a Temporal server of at least 99\.1\.0 at 127.*, found: 1\.\d+\.\d+; upgrade it/,
    );
  });

  test('no such namespace', async () => {
    expect(problemIn(await check({ namespace: 'nowhere' }))).toEqual({
      path: 'TEMPORAL_NAMESPACE',
      message: `expected the namespace nowhere at ${environment.address}, found: Namespace nowhere is not found.; make it with: nereid temporal setup`,
    });
  });

  test('a namespace without our search attributes', async () => {
    const namespace = `bare-${randomUUID()}`;
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await environment.client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });

    expect(problemIn(await check({ namespace })).message).toMatch(
      /^expected the search attributes NereidRepository, .* in the namespace bare-.*, found: .*invalid search attribute: Nereid\w+; make them with: nereid temporal setup$/,
    );
  });

  test.each([
    [7, 'Request unauthorized.'],
    [16, 'the API key has expired'],
  ])('one that lets us in no further: %d', async (status, found) => {
    await using refusing = await startRefusingTemporal(status, found);

    expect(problemIn(await check({ address: refusing.address }))).toEqual({
      path: 'TEMPORAL_API_KEY',
      message: `expected permission to use the namespace ${environment.namespace} at ${refusing.address}, found: ${found}; set TEMPORAL_API_KEY, or the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH, to one that has it`,
    });
  });

  test('a server without TLS where we have it', async () => {
    const { port } = new URL(`grpc://${environment.address}`);

    const { message } = problemIn(await check({ address: `localhost:${port}`, tls: trusting(authority) }));

    expect(message).toMatch(
      /^expected a server with TLS at localhost.*; set no TEMPORAL_TLS_… and no TEMPORAL_API_KEY, or/,
    );
  });

  test.each<Distrust>([
    {
      what: 'an authority that we do not know',
      front: async () => await authority.issue(),
      tls: () => trusting(another),
      path: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      message: /^expected a server whose certificate is of an authority that we trust at localhost:\d+, found: /,
    },
    {
      what: 'an authority, and we know none',
      front: async () => await authority.issue(),
      tls: () => true,
      path: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      message: /found: unable to verify the first certificate/,
    },
    {
      what: 'a certificate that has expired',
      front: async () => await authority.issue({ notAfter: YESTERDAY }),
      tls: () => trusting(authority),
      path: 'TEMPORAL_ADDRESS',
      message: /found: certificate has expired; renew the server's certificate/,
    },
    {
      what: 'another name than that of the address',
      front: async () => await authority.issue({ name: 'temporal.example' }),
      tls: () => trusting(authority),
      path: 'TEMPORAL_TLS_SERVER_NAME',
      message: /altnames: DNS:temporal\.example; set TEMPORAL_TLS_SERVER_NAME to the name in its certificate$/,
    },
    {
      what: 'TLS where we have none',
      front: async () => await authority.issue(),
      tls: () => false,
      path: 'TEMPORAL_ADDRESS',
      message: /^expected a server without TLS at localhost:\d+, .* found one with TLS/,
    },
    {
      what: 'a wish for our certificate, and we have none',
      front: async () => ({ ...(await authority.issue()), clientAuthority: authority.certificate }),
      tls: () => trusting(authority),
      path: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
      message: /^expected a server that takes our certificate at .* alert certificate required/,
    },
  ])('a server with $what', async ({ front: servedBy, tls, path, message }) => {
    await using front = await startTlsFront({ target: environment.address, ...(await servedBy()) });

    const problem = problemIn(await check({ address: addressOf(front), tls: await tls() }));

    expect(problem).toMatchObject({ path });
    expect(problem.message).toMatch(message);
  });
});

test('a Temporal that is not there is away, whatever we would show it', async () => {
  const address = `localhost:${await freePort()}`;

  expect(await check({ address })).toMatchObject({ kind: 'away' });
  expect(await check({ address, tls: trusting(authority) })).toMatchObject({ kind: 'away' });
});

type Tls = NonNullable<ConnectionOptions['tls']>;

/** What a server is like, how we come to it, and what is said of that. */
interface Distrust {
  readonly what: string;
  readonly front: () => Promise<TestCertificate & { readonly clientAuthority?: string }>;
  readonly tls: () => Tls | Promise<Tls>;
  readonly path: string;
  readonly message: RegExp;
}

interface Asked {
  readonly address?: string;
  readonly namespace?: string;
  readonly tls?: Tls;
  readonly oldestServer?: string;
}

async function check({ namespace = environment.namespace, oldestServer, ...asked }: Asked): Promise<TemporalChecked> {
  const server = { address: environment.address, ...asked };
  const options = { deadlineMs: HANGS_AFTER_MS, ...(oldestServer !== undefined && { oldestServer }) };
  return await checkTemporal({ namespace, server, connection: server }, options);
}

function problemIn(checked: TemporalChecked): LocatedProblem {
  if (checked.kind === 'unfit') return checked.problem;
  throw new Error(`expected a Temporal that is unfit, found ${JSON.stringify(checked)}`);
}

function addressOf({ port }: { readonly port: number }): string {
  return `localhost:${port}`;
}

function trusting({ certificate }: TestAuthority) {
  return { serverRootCACertificate: Buffer.from(certificate) };
}

function showing({ certificate, key }: TestCertificate) {
  return { clientCertPair: { crt: Buffer.from(certificate), key: Buffer.from(key) } };
}
