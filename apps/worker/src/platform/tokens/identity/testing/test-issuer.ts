/** An issuer whose documents are on a real HTTP server, as clouds find them, and control that issues its tokens. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readServerConfig, type ServerConfig } from '@nereid/config';
import { createIdentityKeyPair, createIssuer, issuerDocuments, type Issuer } from '@nereid/signature';
import { pino } from 'pino';
import { testSignatures } from '../../../../testing/test-signatures.ts';
import type { IssueContext } from '../issue-identity-token.ts';

export interface TestIssuer {
  readonly url: string;
  readonly issuer: Issuer;
  close(): Promise<void>;
}

export async function startTestIssuer(): Promise<TestIssuer> {
  const keys = createIdentityKeyPair();
  const texts = new Map<string, string>();
  const server = createServer((request, response) => {
    const text = texts.get(request.url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const url = `http://127.0.0.1:${port}`;
  for (const { path, text } of await issuerDocuments(url, [createPublicKey(keys.publicKey)])) texts.set(path, text);
  return {
    url,
    issuer: createIssuer({ url, privateKey: createPrivateKey(keys.privateKey) }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The server's file with these repositories, written in YAML. */
export function serverWith(repositories: string): ServerConfig {
  const read = readServerConfig(
    `repositories: ${repositories}\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`,
  );
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return read.config;
}

/** Control that knows no deployment that has ended, and of previews only that they are under way. */
export function controlWith(server: ServerConfig, { issuer }: Pick<TestIssuer, 'issuer'>): IssueContext {
  const deploymentRecords = { find: async () => Promise.resolve(undefined) };
  const underWay = { deployment: { progress: { status: 'planning' } } };
  const pullRequestRecords = { readPreview: async () => Promise.resolve(underWay) };
  return {
    signatures: testSignatures,
    deploymentRecords: deploymentRecords as never,
    pullRequestRecords: pullRequestRecords as never,
    server: { current: () => server },
    logger: pino({ level: 'silent' }),
    issuer,
  };
}
