/**
 * Hands what a person asked for to control, durably, and waits a moment for the answer. The console decides nothing: it passes on
 * who the person is, sealed, and control judges.
 */
import { createHash, randomUUID } from 'node:crypto';
import { defined } from '@nereid/domain/defined';
import {
  requestWorkflowId,
  sealedFor,
  type ConsoleRequest,
  type IntakeResult,
  type LoginProof,
  type OperatorRequest,
  type ReceivedEvent,
} from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { BODY_DIGEST, type StartIntake, type TemporalProbe } from '@nereid/process';
import { createSealer, createSigner, digestOf, encloseBody } from '@nereid/signature';
import { WorkflowFailedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import type { RequestKeys } from '../platform/config/config.ts';

export type Wanted =
  | { readonly repository: Repository; readonly request: ConsoleRequest }
  /** About something that belongs to no repository. */
  | { readonly request: OperatorRequest };

export type PersonRequest = Wanted & AskedBy;

interface AskedBy {
  readonly visitor: KnownVisitor;
  /** The client's own name of this request: the same one is carried out once. */
  readonly idempotencyKey?: string | undefined;
}

export type Answered =
  | { readonly kind: 'done'; readonly id: string; readonly result: IntakeResult }
  /** It is under way, and its answer is to come. */
  | { readonly kind: 'pending'; readonly id: string }
  /** The key was used before, for another request. */
  | { readonly kind: 'conflict' }
  /** It failed for good. */
  | { readonly kind: 'failed'; readonly id: string; readonly why: string }
  /** Temporal does not answer, or refuses it: nothing was done. */
  | { readonly kind: 'unavailable' }
  /** Temporal did not say whether it has the request: it may be under way. */
  | { readonly kind: 'uncertain'; readonly id: string }
  /** Temporal does not say what came of a request. */
  | { readonly kind: 'silent' };

export interface Requests {
  make(asked: PersonRequest): Promise<Answered>;
  /** What came of a request of this person; undefined when there is none. */
  answerTo(visitor: KnownVisitor, id: string): Promise<Answered | undefined>;
}

/** A browser and its person wait about as long. */
const ANSWER_MS = 8_000;

/** As long as control believes the request. */
const PROOF_MS = 3_600_000;

export interface RequestOptions {
  readonly keys: RequestKeys;
  readonly startIntake: StartIntake;
  readonly isTemporalReachable: TemporalProbe;
  readonly client: Client;
  /** For tests. */
  readonly answerMs?: number;
}

export function createRequests(options: RequestOptions): Requests {
  const { keys, startIntake, isTemporalReachable, client, answerMs = ANSWER_MS } = options;
  const signer = createSigner(keys.signing);
  const sealer = createSealer(keys.sealing);

  async function received(id: string, asked: PersonRequest): Promise<Signed<ReceivedEvent>> {
    const { visitor, request } = asked;
    const { login: sender, id: senderId } = visitor.person;
    const repository = sealedFor(asked);
    const proof = await sealed(id, repository, visitor.proof);
    const who = { sender, ...defined({ senderId }), proof };
    return encloseBody(signer, 'request/person', {
      version: 1,
      delivery: id,
      receivedAt: new Date().toISOString(),
      bodyDigest: digestOf({ repository, request }),
      event: { ...eventOf(asked), ...who },
    });
  }

  function sealed(subject: string, repository: string, proof: LoginProof): Promise<string> {
    const secret = JSON.stringify(proof);
    return sealer.seal({ subject, repository }, { secret, expiresAt: Date.now() + PROOF_MS });
  }

  async function answerOf(id: string): Promise<Answered> {
    const handle = client.workflow.getHandle(requestWorkflowId(id));
    try {
      const result = (await client.withDeadline(Date.now() + answerMs, () => handle.result())) as IntakeResult; // The workflow's.
      return { kind: 'done', id, result };
    } catch (error) {
      if (error instanceof WorkflowFailedError) return { kind: 'failed', id, why: whyOf(error) };
      return { kind: 'pending', id };
    }
  }

  /** Undefined while Temporal does not say. */
  async function digestOfFirst(id: string): Promise<unknown> {
    const handle = client.workflow.getHandle(requestWorkflowId(id));
    try {
      const { memo } = await client.withDeadline(Date.now() + answerMs, () => handle.describe());
      return memo?.[BODY_DIGEST];
    } catch {
      return undefined;
    }
  }

  return {
    async make(asked) {
      const id = idOf(asked);
      const input = await received(id, asked);
      // Before anything is sent it is certain that nothing was done; afterwards it is not.
      if (!(await isTemporalReachable())) return { kind: 'unavailable' };
      const started = await startIntake(input);
      if (started.kind === 'unavailable')
        return started.nothingStarted ? { kind: 'unavailable' } : { kind: 'uncertain', id };
      if (started.kind === 'duplicate') {
        const first = await digestOfFirst(id);
        if (first === undefined) return { kind: 'pending', id };
        if (first !== input.body.bodyDigest) return { kind: 'conflict' };
      }
      return answerOf(id);
    },
    async answerTo(visitor, id) {
      if (!isOf(visitor, id)) return undefined;
      const handle = client.workflow.getHandle(requestWorkflowId(id));
      try {
        await client.withDeadline(Date.now() + answerMs, () => handle.describe());
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        return { kind: 'silent' };
      }
      return answerOf(id);
    },
  };
}

/** Without what else the console knows of the person. */
function eventOf(wanted: Wanted) {
  return 'repository' in wanted
    ? ({ kind: 'request', repository: wanted.repository, request: wanted.request } as const)
    : ({ kind: 'operator-request', request: wanted.request } as const);
}

/** `<of the person>-<of the request>`, so that nobody asks for the answers of others, or uses up their keys. */
function idOf({ visitor, idempotencyKey }: PersonRequest): string {
  const own = idempotencyKey === undefined ? randomUUID() : hashOf(idempotencyKey);
  return `${ownerOf(visitor)}-${own}`;
}

function isOf(visitor: KnownVisitor, id: string): boolean {
  return ID.test(id) && id.startsWith(`${ownerOf(visitor)}-`);
}

const ID = /^[\da-f]{16}-[\da-f-]{32,36}$/;

function ownerOf({ person: { login, token } }: KnownVisitor): string {
  return hashOf(`${login.toLowerCase()} ${token?.name ?? ''}`).slice(0, 16);
}

/** 128 bits, 32 hex digits. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function whyOf(error: WorkflowFailedError): string {
  const messages: string[] = [];
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  return messages.at(-1) ?? 'no reason was given';
}
