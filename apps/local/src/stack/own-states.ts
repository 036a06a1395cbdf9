/** The entries of the server's file for repositories besides the sample, whose roots keep each their own state. */
import path from 'node:path';
import type { Root } from '@nereid/domain/root';

export interface DeployedRoot {
  /** Also its directory. */
  readonly name: string;
  readonly planReview: 'required' | 'auto';
  /** `halt`: a failed apply locks its lane. */
  readonly onFailure: Root['onFailure'];
}

export interface DeployedRepository {
  /** `owner/name`. */
  readonly repository: string;
  readonly roots: readonly DeployedRoot[];
}

export interface OwnStates {
  readonly repositories: readonly object[];
  readonly workflows: Readonly<Record<string, object>>;
}

/** `state` is the folder of all states: it is outside of the working trees, which go away with their deployments. */
export function withOwnStates(deployed: readonly DeployedRepository[], state: string): OwnStates {
  return {
    repositories: deployed.map(({ repository, roots }) => ({
      match: repository,
      roots: Object.fromEntries(roots.map((root) => [root.name, settingsOf(repository, root)])),
    })),
    workflows: Object.fromEntries(
      deployed.flatMap(({ repository, roots }) =>
        roots.map(({ name }) => [workflowName(repository, name), workflowOf(path.join(state, repository, name))]),
      ),
    ),
  };
}

function settingsOf(repository: string, { name, planReview, onFailure }: DeployedRoot): object {
  return { workflow: workflowName(repository, name), plan_review: planReview, on_failure: onFailure };
}

function workflowName(repository: string, rootName: string): string {
  return `${repository.replace('/', '-')}-${rootName}`;
}

function workflowOf(state: string): object {
  const init = { init: { extra_args: [`-backend-config=path=${state}.tfstate`] } };
  return { plan: [init, 'plan'], apply: ['apply'] };
}
