import { fullName } from '@nereid/domain/root';
import { z } from 'zod';
import { Envelope, Id, readPayload, repositoryOf, senderOf, Sha } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const Action = z.object({ action: z.string().max(50) });

/** Only the number of the run is read from the address, which nobody ever asks. */
const CALLBACK =
  /\/repos\/(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})\/actions\/runs\/(?<runId>[1-9]\d{0,14})\/deployment_protection_rule$/;

/** At most 255 characters, whichever they are: one outside the basic plane counts as one. */
const ENVIRONMENT = /^[^]{1,255}$/u;

const Requested = Envelope.extend({
  environment: z.string().regex(ENVIRONMENT),
  deployment: z.object({ id: Id, sha: Sha, created_at: z.iso.datetime({ offset: true }) }),
  deployment_callback_url: z.string().max(1_000).regex(CALLBACK),
});

/** A job of GitHub Actions waits for our word before it deploys to an environment. */
export function readDeploymentProtectionRule(payload: unknown, filter: EventFilter): Verdict {
  const base = readPayload(Action, payload);
  if (base.kind === 'invalid') return base;
  if (base.value.action !== 'requested') return ignore('no job waits for an answer');
  if (filter.isProtected !== true) return ignore("the server's file has no protection_rules for the repository");
  const read = readPayload(Requested, payload);
  if (read.kind === 'invalid') return read;
  const { environment, deployment, deployment_callback_url: url, sender } = read.value;
  const repository = repositoryOf(read.value);
  const { repository: named = '', runId } = CALLBACK.exec(url)?.groups ?? {};
  if (named.toLowerCase() !== fullName(repository).toLowerCase())
    return { kind: 'invalid', problem: 'deployment_callback_url: expected an address of this repository' };
  return accept({
    kind: 'protected-run',
    repository,
    runId: Number(runId),
    deploymentId: deployment.id,
    askedAt: deployment.created_at,
    environment,
    sha: deployment.sha,
    ...senderOf(sender),
  });
}
