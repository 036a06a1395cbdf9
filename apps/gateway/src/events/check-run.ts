import { parseButtonIdentifier } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import { z } from 'zod';
import { CheckRunFields, Envelope, Id, readPayload, repositoryOf, senderOf } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const CheckRun = z.object({
  action: z.string().max(50),
  check_run: z.object({ app: z.object({ id: Id }).nullable() }),
});

const Pressed = Envelope.extend({
  check_run: CheckRunFields,
  requested_action: z.object({ identifier: z.string().max(20) }),
});

const Rerequested = Envelope.extend({ check_run: CheckRunFields });

/** A button or *Re-run* on one of our check runs; every App of the repository causes events of this kind. */
export function readCheckRun(payload: unknown, filter: EventFilter): Verdict {
  const read = readPayload(CheckRun, payload);
  if (read.kind === 'invalid') return read;
  const { action, check_run: checkRun } = read.value;

  if (action === 'requested_action') return readButton(payload, checkRun.app?.id === filter.appId);
  if (action === 'rerequested') return readRerun(payload, checkRun.app?.id === filter.appId);
  return ignore('nobody pressed anything on the check run');
}

function readButton(payload: unknown, isOurs: boolean): Verdict {
  const read = readPayload(Pressed, payload);
  if (read.kind === 'invalid') return read;
  if (!isOurs) return ignore(OTHER_APP);
  const button = parseButtonIdentifier(read.value.requested_action.identifier);
  if (!button) return ignore('the check run has no such button');
  return accept({ kind: 'button', button, ...pressedOn(read.value) });
}

function readRerun(payload: unknown, isOurs: boolean): Verdict {
  const read = readPayload(Rerequested, payload);
  if (read.kind === 'invalid') return read;
  if (!isOurs) return ignore(OTHER_APP);
  return accept({ kind: 'rerun', ...pressedOn(read.value) });
}

const OTHER_APP = 'the check run belongs to another App';

function pressedOn(payload: z.infer<typeof Rerequested>) {
  return {
    repository: repositoryOf(payload),
    checkRun: pressedCheckRun(payload.check_run),
    ...senderOf(payload.sender),
  };
}

function pressedCheckRun(checkRun: z.infer<typeof CheckRunFields>): PressedCheckRun {
  return {
    id: checkRun.id,
    name: checkRun.name,
    headSha: checkRun.head_sha,
    externalId: checkRun.external_id ?? '',
    conclusion: checkRun.conclusion,
  };
}
