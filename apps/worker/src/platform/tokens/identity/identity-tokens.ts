/** Tokens by which clouds know the jobs of a host. A process with the key of identities makes them; any other host asks control. */
import { randomUUID } from 'node:crypto';
import type { Signed } from '@nereid/domain/signed';
import {
  identityTokenWorkflowId,
  phaseOf,
  type ApplyPermission,
  type IdentityTokenRequest,
  type SealedIdentityToken,
} from '@nereid/domain/tokens';
import { readTokenRequest, type ControlOptions } from '../ask-control.ts';
import { askWorkflow } from '../ask-workflow.ts';
import type { OpenedApply, OpenedJob } from '../opened-job.ts';
import { issueIdentityToken, type IssueContext } from './issue-identity-token.ts';
import { purposeOf } from './seal-identity-token.ts';

export interface IdentityTokens {
  /** That of the apply for an apply, and that of the plan for anything else. Good for as long as the job may run. A secret. */
  tokenFor(job: IdentityJob, signal?: AbortSignal): Promise<string>;
}

export type IdentityJob = OpenedJob | OpenedApply;

/** Nobody can say to clouds who this host is now. Another attempt may succeed. */
class NoIdentityTokenError extends Error {
  override readonly name = 'NoIdentityTokenError';
  readonly code = 'NO_IDENTITY_TOKEN';

  constructor(rootName: string, found: string, options?: ErrorOptions) {
    super(
      `expected a token of the identity of ${rootName} from the control workers, found: ${found}; check that one of them runs, and that all are of this release`,
      options,
    );
  }
}

/** For a process with the key. */
export function issuedIdentityTokens(context: IssueContext): IdentityTokens {
  return { tokenFor: async (job) => (await issueIdentityToken(context, requestOf(job))).token.value };
}

export function identityTokensFromControl(options: ControlOptions): IdentityTokens {
  const { temporal, signatures, opener, patienceMs } = options;
  return {
    async tokenFor(job, signal) {
      const { deploymentId, repository, root } = job;
      const request = requestOf(job);
      const answer = await askWorkflow({
        ...{ temporal, signal, patienceMs },
        question: { kind: 'sealIdentityToken', about: request },
        workflowId: identityTokenWorkflowId(deploymentId, randomUUID()),
        unanswered: (found, cause) => new NoIdentityTokenError(root.name, found, cause),
      });
      // What came may be of anybody: it counts when control signed it, and when it was sealed for exactly this.
      const phase = phaseOf(request.apply);
      const about = { repository, deploymentId, phase, go: request.apply?.go.signature };
      const { body } = await signatures.open('token/identity', answer as Signed<SealedIdentityToken>, about);
      return (await opener.open(purposeOf({ repository, deploymentId, phase }), body.sealed)).secret;
    },
  };
}

function requestOf(job: IdentityJob): IdentityTokenRequest {
  const apply = permissionOfJob(job);
  return { ...readTokenRequest(job), ...(apply && { apply }) };
}

function permissionOfJob(job: IdentityJob): ApplyPermission | undefined {
  if (!('go' in job)) return undefined;
  const { go, review } = job;
  return { go: go.signed, ...(review && { review }) };
}
