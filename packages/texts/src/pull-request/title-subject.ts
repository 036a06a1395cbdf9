import { defined } from '@nereid/domain/defined';
import type { PullRequestLook, PullRequestRecord } from '@nereid/domain/pull-request';
import type { SubjectOfTitle } from './pull-request-check-run.ts';

type LookedAt = Pick<PullRequestRecord, 'shown'> & { readonly look: PullRequestLook };

/** The pull request as its record describes it, so that the check run and the console say the same. */
export function titleSubject({ look, shown }: LookedAt, previews: SubjectOfTitle['previews']): SubjectOfTitle {
  const { unplanned, remark, notRenewed, blocksStale, verdict } = look;
  return {
    previews,
    ...defined({ unplanned, remark }),
    ...(notRenewed === 'idle' && { isIdle: true }),
    ...(blocksStale && { blocksStale }),
    ...(verdict && { verdict }),
    ...(shown?.conclusion && shown.isVerdict !== true && { before: shown.conclusion }),
  };
}
