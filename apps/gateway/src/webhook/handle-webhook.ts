/**
 * Judges a webhook step by step; the first step that fails decides the response. The body was read before, at most 25 MiB.
 *
 * 2xx means that Temporal has the event, or that nothing will ever follow from it.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isProtected, policyFor } from '@nereid/config';
import type { IntakeEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { encloseBody } from '@nereid/signature';
import type { Context } from '../context.ts';
import { readPayload, RepositoryFields } from '../events/payload.ts';
import { readEvent } from '../events/read-event.ts';
import { z } from 'zod';
import { refused, type Answer } from './answer.ts';
import { isSignature, isSigned } from './signature.ts';
import { readHeaders } from './webhook-headers.ts';

export interface Webhook {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came, because the signature is over exactly these. */
  readonly body: Buffer;
}

/** The refusal of a webhook whose headers are enough to refuse it. */
export function refusalByHeaders(headers: IncomingHttpHeaders): Answer | undefined {
  const named = readHeaders(headers);
  if (named.kind === 'invalid') return refused(400, named.problem);
  return isSignature(named.headers.signature) ? undefined : refused(401, WRONG_SIGNATURE);
}

export async function handleWebhook(context: Context, { headers, body }: Webhook): Promise<Answer> {
  const named = readHeaders(headers);
  if (named.kind === 'invalid') return refused(400, named.problem);
  const { event, delivery, signature } = named.headers;

  if (!isSigned(body, signature, context.webhookSecrets)) return refused(401, WRONG_SIGNATURE);

  const parsed = parseJson(body);
  if (parsed.kind === 'invalid') return refused(400, parsed.problem);
  const bodyDigest = createHash('sha256').update(body).digest('hex');
  return judge(context, { event, delivery, bodyDigest, payload: parsed.payload });
}

const WRONG_SIGNATURE =
  'expected X-Hub-Signature-256 to be the HMAC of the body with the webhook secret; set the same secret here and on GitHub';

interface SignedWebhook {
  readonly event: string;
  readonly delivery: string;
  readonly bodyDigest: string;
  readonly payload: unknown;
}

async function judge(context: Context, { event, payload, ...named }: SignedWebhook): Promise<Answer> {
  const addressed = readPayload(Addressed, payload);
  if (addressed.kind === 'invalid') return refused(400, `the event ${event} cannot be read: ${addressed.problem}`);

  const repository = repositoryNamed(addressed.value);
  const server = context.server.current();
  const policy = repository === undefined ? undefined : policyFor(server, repository);
  const { commentNames, commandBots } = server;
  const { branch, planAllBases = false } = policy ?? {};
  const filter = {
    ...{ appId: context.appId, commentNames, commandBots, branch, planAllBases },
    isProtected: repository !== undefined && isProtected(server, repository),
  };
  const verdict = readEvent(event, payload, filter);
  const about = repository === undefined ? {} : { repository };

  if (verdict.kind === 'invalid')
    return { ...refused(400, `the event ${event} cannot be read: ${verdict.problem}`), ...about };
  if (repository !== undefined && !policy)
    return { status: 202, message: 'ignored: not allowed', outcome: 'not-allowed', ...about };
  if (verdict.kind === 'ignore')
    return { status: 202, message: `ignored: ${verdict.reason}`, outcome: 'ignored', ...about };
  return { ...(await handOver(context, named, verdict.event)), ...about };
}

/** Some events, such as those about installations, concern no repository. */
const Addressed = z.object({ repository: RepositoryFields.optional() });

function repositoryNamed({ repository }: z.infer<typeof Addressed>): string | undefined {
  return repository && fullName({ owner: repository.owner.login, name: repository.name });
}

async function handOver(
  context: Context,
  { delivery, bodyDigest }: Pick<SignedWebhook, 'delivery' | 'bodyDigest'>,
  event: IntakeEvent,
): Promise<Answer> {
  const endTimer = context.metrics.handOver.startTimer();
  const received = { version: 1, delivery, receivedAt: new Date().toISOString(), bodyDigest, event } as const;
  const started = await context.startIntake(await encloseBody(context.signer, 'event/github', received));
  endTimer();
  switch (started.kind) {
    case 'accepted':
      return { status: 202, message: 'accepted', outcome: 'accepted' };
    case 'duplicate':
      return { status: 202, message: 'duplicate', outcome: 'duplicate' };
    case 'unavailable':
      return {
        status: 503,
        message: UNAVAILABLE,
        outcome: 'unavailable',
        retryAfter: RETRY_AFTER,
        cause: started.cause,
      };
  }
}

const UNAVAILABLE = 'Temporal did not take the event, so nothing will follow from it; redeliver it later';

/** A restart of Temporal takes about this long, in seconds. */
const RETRY_AFTER = 30;

type JsonRead =
  { readonly kind: 'ok'; readonly payload: unknown } | { readonly kind: 'invalid'; readonly problem: string };

function parseJson(body: Buffer): JsonRead {
  try {
    return { kind: 'ok', payload: JSON.parse(body.toString('utf8')) };
  } catch {
    return { kind: 'invalid', problem: "expected JSON; set the webhook's content type on GitHub to application/json" };
  }
}
