/** The looks at one deployment, and at the plans of one pull request: shared by all who follow the same. */
import type { PullRequestName } from '@nereid/domain/console';
import { hasEnded } from '@nereid/domain/deployment';
import type { DeploymentView } from '../deployments/deployment-view.ts';
import type { Found } from '../deployments/find/find-deployment.ts';
import type { FindPullRequest } from '../pulls/find-pull-request.ts';
import type { PullRequestView } from '../pulls/pull-request-view.ts';
import type { Change } from './change.ts';
import type { Publish } from './watch.ts';

export interface LookAtOne<T> {
  readonly look: (publish: Publish) => Promise<void>;
  /** As it was seen last; undefined when it was not found. */
  readonly latest: () => T | undefined;
}

export function createLookAtDeployment(find: () => Promise<Found>): LookAtOne<DeploymentView> {
  return lookAtOne<DeploymentView>(find, ({ id, lane, progress }) => ({
    kind: 'deployment',
    id,
    lane,
    status: progress.status,
  }));
}

export function createLookAtPull(find: FindPullRequest, pull: PullRequestName): LookAtOne<PullRequestView> {
  return lookAtOne<PullRequestView>(
    () => find(pull),
    ({ headline }) => ({ kind: 'pull-request', pull, headline }),
  );
}

/** Whatever of the view changes is a change. While it is not found, nothing is. */
function lookAtOne<T>(
  find: () => Promise<{ readonly kind: 'found'; readonly view: T } | { readonly kind: 'absent' | 'unavailable' }>,
  changeOf: (view: T) => Change,
): LookAtOne<T> {
  let view: T | undefined;
  let text: string | undefined;
  return {
    async look(publish) {
      const found = await find();
      view = found.kind === 'found' ? found.view : undefined;
      if (view === undefined) return;
      const [before, now] = [text, JSON.stringify(view)];
      text = now;
      if (before !== undefined && before !== now) publish([changeOf(view)]);
    },
    latest: () => view,
  };
}

/** Whether it goes on by itself, within seconds. */
export function isMoving(view: DeploymentView | undefined): boolean {
  return view === undefined || view.unavailable.length > 0 || !hasEnded(view.progress.status);
}
