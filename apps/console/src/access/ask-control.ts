/** Asks control, which asks the forge as the App. The answer comes through Temporal, so it counts only with control's signature. */
import { randomBytes } from 'node:crypto';
import type { Question } from '@nereid/domain/activities';
import { ACCESS_LIMIT, accessWorkflowId, type AccessAnswer, type AccessRequest } from '@nereid/domain/person';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { openEnvelope, type Verifier } from '@nereid/signature';
import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import type { Logger } from 'pino';
import { AccessUnknownError } from './access-unknown.ts';
import { createQuestionLimits } from './github/question-limits.ts';
import { personOf, type AskAccess, type Named, type Seen } from './repository-access.ts';

export interface AskControlOptions {
  readonly client: Client;
  /** Of control's signatures. */
  readonly verifier: Verifier;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly patienceMs?: number;
}

/** A person waits for a page. Control itself gives up after 15 s. */
const PATIENCE_MS = 8_000;

/** The answer is of this moment; clocks of two machines may differ. */
const CLOCKS_MS = 5 * 60_000;

/** Each is a workflow of one activity. */
const AT_ONCE = 4;

/** Workers that were restarted are back by then. */
const RETRY_S = 10;

/** Questions of one person in an hour: twelve times those for 5,000 repositories, and far more than a person opens pages. */
const QUESTIONS = 1_500;

/** Nobody guesses one, so no answer was made before its question. */
const NONCE_BYTES = 16;

export function createAskControl({ client, verifier, logger, patienceMs = PATIENCE_MS }: AskControlOptions): AskAccess {
  const limits = createQuestionLimits(QUESTIONS);

  async function ask(login: string, repositories: readonly Named[]): Promise<readonly Seen[]> {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    const named = repositories.map(({ owner, name }) => ({ owner, name }));
    const request: AccessRequest = { version: 1, login, repositories: named, nonce };
    try {
      const { body: answer } = await openEnvelope(verifier, 'decision/access', await answerTo(request), request);
      if (Math.abs(Date.now() - Date.parse(answer.at)) > CLOCKS_MS) throw new Error(`an answer of ${answer.at}`);
      const { ageMs } = answer;
      // The company gave everybody their login or token here.
      return answer.mayRead.map((mayRead) => ({ sees: mayRead ? 'as-member' : 'no', ageMs }));
    } catch (cause) {
      logger.warn({ err: cause }, 'control does not say who may read a repository');
      throw new AccessUnknownError('the workers or GitHub do not answer', RETRY_S, { cause });
    }
  }

  function answerTo(request: AccessRequest): Promise<Signed<AccessAnswer>> {
    const question: Question = { kind: 'askAccess', about: request };
    const options = {
      workflowId: accessWorkflowId(request.nonce),
      taskQueue: CONTROL_QUEUE,
      workflowExecutionTimeout: 2 * patienceMs,
      args: [question],
    };
    // The contract of that workflow; the signature says whether it was kept.
    return client.withDeadline(Date.now() + patienceMs, () =>
      client.workflow.execute(WORKFLOW.ask, options),
    ) as Promise<Signed<AccessAnswer>>;
  }

  return async (visitor, repositories) => {
    const { login } = visitor.person;
    const parts = Array.from({ length: Math.ceil(repositories.length / ACCESS_LIMIT) }, (_, index) =>
      repositories.slice(index * ACCESS_LIMIT, (index + 1) * ACCESS_LIMIT),
    );
    await limits.spend(personOf(visitor), parts.length);
    const answers = await pMap(parts, (part) => ask(login, part), { concurrency: AT_ONCE });
    return answers.flat();
  };
}
