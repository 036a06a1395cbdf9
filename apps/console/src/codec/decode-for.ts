/** Opens sealed payloads for one person, as far as they may read what is inside, and unpacks compressed ones. */
import { isOperator, type ServerConfig } from '@nereid/config';
import { isCompressed, isSealed } from '@nereid/process';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import type { Reader } from '../access/reading.ts';
import { nameOf, type Named, type RepositoryAccess } from '../access/repository-access.ts';
import { namedRepositories } from './named-repositories.ts';

export interface Decoding extends Pick<RepositoryAccess, 'seenBy' | 'isMemberOfAny'> {
  readonly codec: PayloadCodec;
  readonly server: { readonly current: () => Pick<ServerConfig, 'console'> };
}

/**
 * In the same order. Messages that they may not read, and messages that no key of ours opens, stay sealed. Messages hold the
 * environment of steps, which is not for everybody who reads a public repository: people have to have been let into each
 * repository that a message names.
 */
export async function decodeFor(
  { codec, server, ...access }: Decoding,
  reader: Reader,
  payloads: readonly Payload[],
): Promise<readonly Payload[]> {
  const opened = await openAll(codec, payloads);
  const isMember = await membershipsOf(
    access,
    reader,
    opened.flatMap((one) => one?.repositories ?? []),
  );
  const isTrusted = isTrustedWithAll(server.current(), reader);
  return payloads.map((payload, index) => {
    const one = opened[index];
    if (one === undefined) return payload;
    if (!isSealed(payload)) return one.payload;
    return (one.repositories?.every(isMember) ?? isTrusted) ? one.payload : payload;
  });
}

/** A compressed payload may grow manifold, and this is as much as four of the largest. What comes after stays as it is. */
const MOST_OPENED_BYTES = 32 * 1_024 * 1_024;

async function openAll(codec: PayloadCodec, payloads: readonly Payload[]): Promise<readonly (Opened | undefined)[]> {
  const opened: (Opened | undefined)[] = [];
  let bytes = 0;
  for (const payload of payloads) {
    const one = bytes < MOST_OPENED_BYTES ? await openOne(codec, payload) : undefined;
    bytes += one?.payload.data?.length ?? 0;
    opened.push(one);
  }
  return opened;
}

async function membershipsOf(
  { seenBy, isMemberOfAny }: Pick<Decoding, 'seenBy' | 'isMemberOfAny'>,
  reader: Reader,
  named: readonly Named[],
): Promise<(repository: Named) => boolean> {
  const repositories = new Map(named.map((repository) => [nameOf(repository), repository]));
  // One question for all of them; the answers for each come from memory.
  await seenBy(reader, repositories.values());
  const members = new Set<string>();
  for (const [name, repository] of repositories) if (await isMemberOfAny(reader, [repository])) members.add(name);
  return (repository) => members.has(nameOf(repository));
}

interface Opened {
  readonly payload: Payload;
  readonly repositories: ReturnType<typeof namedRepositories>;
}

/** Undefined for what is clear, and for what cannot be opened. What is only compressed keeps nothing from whoever has it. */
async function openOne(codec: PayloadCodec, payload: Payload): Promise<Opened | undefined> {
  if (!isSealed(payload) && !isCompressed(payload)) return undefined;
  try {
    const [opened = payload] = await codec.decode([payload]);
    return { payload: opened, repositories: namedRepositories(valueOf(opened)) };
  } catch {
    return undefined;
  }
}

/** Bytes name nothing. */
function valueOf(payload: Payload): unknown {
  try {
    return defaultPayloadConverter.fromPayload(payload);
  } catch {
    return undefined;
  }
}

/** Of messages that name no repository: a step, a failure, the details of a workflow. They may be of any. */
function isTrustedWithAll({ console }: Pick<ServerConfig, 'console'>, reader: Reader): boolean {
  if (reader.kind === 'local' || reader.proof.mode === 'local') return true;
  const { token } = reader.person;
  return isOperator(console, reader.person) && (token === undefined || token.scopes.includes('hosts'));
}
