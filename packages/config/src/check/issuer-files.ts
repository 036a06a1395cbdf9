/** `nereid identity`: writes what clouds look for below the URL of an issuer, for a site that serves files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { issuerDocuments } from '@nereid/signature';
import { env } from '../environment/env.ts';
import { readEnv } from '../environment/environment.ts';
import { foundAt } from '../environment/unreadable.ts';

export type IssuerFilesMade =
  { readonly kind: 'made'; readonly lines: readonly string[] } | { readonly kind: 'failed'; readonly why: string };

const VARIABLES = {
  url: env.issuer('IDENTITY_ISSUER').required(),
  publicKeys: env.identityPublicKeys('IDENTITY_PUBLIC_KEY').required(),
};

/** The key file has one public key or, for rotation, several. Files that are there already are written again. */
export async function makeIssuerFiles(issuer: string, keyFile: string, folder: string): Promise<IssuerFilesMade> {
  const read = readEnv({ IDENTITY_ISSUER: issuer, IDENTITY_PUBLIC_KEY_FILE: keyFile }, VARIABLES);
  if (read.kind === 'invalid') return { kind: 'failed', why: read.problems.map(({ message }) => message).join('\n') };
  const { url, publicKeys } = read.values;
  const documents = await issuerDocuments(url, publicKeys);
  try {
    for (const { path, text } of documents) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  } catch (error) {
    return {
      kind: 'failed',
      why: `expected a folder for the documents of the issuer, found ${foundAt(folder, error)}`,
    };
  }
  return {
    kind: 'made',
    lines: [
      ...documents.map(({ path }) => `${path.slice(1)}: made`),
      '',
      `Serve both as application/json, without a login: ${documents.map(({ path }) => `${url}${path}`).join(' and ')}`,
      `workers with the role control: IDENTITY_ISSUER=${url}; the gateway needs no IDENTITY_ISSUER then`,
    ],
  };
}
