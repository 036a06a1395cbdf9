import { z } from 'zod';
import { Envelope, Id, readPayload, repositoryOf, senderOf, Sha } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const CheckSuite = z.object({
  action: z.string().max(50),
  check_suite: z.object({ app: z.object({ id: Id }).nullable() }),
});

const Rerequested = Envelope.extend({ check_suite: z.object({ id: Id, head_sha: Sha }) });

/** *Re-run all* on our check suite. */
export function readCheckSuite(payload: unknown, filter: EventFilter): Verdict {
  const base = readPayload(CheckSuite, payload);
  if (base.kind === 'invalid') return base;
  if (base.value.action !== 'rerequested') return ignore('nobody asked for the check suite to run again');
  const read = readPayload(Rerequested, payload);
  if (read.kind === 'invalid') return read;
  if (base.value.check_suite.app?.id !== filter.appId) return ignore('the check suite belongs to another App');
  const { check_suite: suite, sender } = read.value;
  return accept({
    kind: 'rerun-all',
    repository: repositoryOf(read.value),
    checkSuiteId: suite.id,
    headSha: suite.head_sha,
    ...senderOf(sender),
  });
}
