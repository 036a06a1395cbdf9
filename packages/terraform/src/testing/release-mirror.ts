/** Releases to download without a network: a server with the layout of the vendors' sites, and a vendor's key to sign with. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMessage, generateKey, revokeKey, sign, type PrivateKey } from 'openpgp';
import { platform } from '../binary/sources.ts';

export interface VendorKey {
  /** The public half, armored. */
  readonly armored: string;
  readonly fingerprint: string;
  /** A detached signature, as vendors publish it; default: made at this moment. */
  sign(file: Uint8Array, date?: Date): Promise<Uint8Array>;
}

export interface ReleaseMirror extends AsyncDisposable {
  readonly url: string;
  /** By path; what is changed is served from then on. */
  readonly files: Map<string, Uint8Array | string>;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
}

export interface VendorKeyOptions {
  readonly date?: Date;
  readonly lifeSeconds?: number;
  readonly revoked?: boolean;
}

export async function aVendorKey({ date, lifeSeconds, revoked = false }: VendorKeyOptions = {}): Promise<VendorKey> {
  const { privateKey, publicKey } = await generateKey({
    userIDs: [{ name: 'Vendor' }],
    format: 'object',
    ...(date !== undefined && { date }),
    ...(lifeSeconds !== undefined && { keyExpirationTime: lifeSeconds }),
  });
  const published = revoked ? (await revokeKey({ key: privateKey, format: 'object' })).publicKey : publicKey;
  return {
    armored: published.armor(),
    fingerprint: published.getFingerprint().toUpperCase(),
    sign: async (file, signedAt = new Date()) => signed(file, privateKey, signedAt),
  };
}

async function signed(file: Uint8Array, signingKeys: PrivateKey, date: Date): Promise<Uint8Array> {
  const message = await createMessage({ binary: file });
  const signature: unknown = await sign({ message, signingKeys, date, detached: true, format: 'binary' });
  // Of a message that is not streamed, in the format "binary".
  return signature as Uint8Array;
}

/** Publishes these zips of Terraform by version, signed with this key. */
export async function aReleaseMirror(
  zips: Readonly<Record<string, Uint8Array>>,
  key: VendorKey,
): Promise<ReleaseMirror> {
  const files = new Map<string, Uint8Array | string>();
  for (const [version, zip] of Object.entries(zips)) {
    const name = `terraform_${version}_${platform()}.zip`;
    const sums = `${'f'.repeat(64)}  other.zip\n${createHash('sha256').update(zip).digest('hex')}  ${name}\n`;
    files.set(`/terraform/${version}/${name}`, zip);
    files.set(`/terraform/${version}/terraform_${version}_SHA256SUMS`, sums);
    files.set(`/terraform/${version}/terraform_${version}_SHA256SUMS.sig`, await key.sign(Buffer.from(sums)));
  }
  const versions = Object.fromEntries(Object.keys(zips).map((version) => [version, {}]));
  files.set('/terraform/index.json', JSON.stringify({ name: 'terraform', versions }));
  return serve(files);
}

async function serve(files: ReleaseMirror['files']): Promise<ReleaseMirror> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    files,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
