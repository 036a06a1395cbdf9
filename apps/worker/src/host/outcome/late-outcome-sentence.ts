import { type ApplyOutcome, appliedCounts } from '@nereid/domain/deployment';

/** The limit of the contract. */
const SENTENCE_LIMIT = 500;

/** Reports the outcome to people who had to go on without it. */
export function lateOutcomeSentence(hostId: string, outcome: ApplyOutcome): string {
  return `Host ${hostId} came back: ${endOf(outcome)}`.slice(0, SENTENCE_LIMIT);
}

function endOf(outcome: ApplyOutcome): string {
  switch (outcome.kind) {
    case 'applied':
      return `the apply that it had begun ended: ${appliedCounts(outcome.counts)}.`;
    case 'failed':
      return `the apply that it had begun failed; its log has more: ${outcome.failure.body.summary}`;
    case 'plan-unusable':
      return `the apply that it had begun changed nothing: ${outcome.why}`;
    case 'not-begun':
      return 'Terraform had not begun to apply, and nothing was changed by it.';
    case 'unknown':
      return `nobody can tell how the apply that it had begun ended: ${outcome.why}`;
  }
}
