import type { Deployment, Repository } from '../state/model.ts';
import type { View } from '../world.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import { repositoryUrl } from './repository-json.ts';

/** `deployment`. */
export function deploymentJson(view: View, repository: Repository, deployment: Deployment): Json {
  const url = `${repositoryUrl(view, repository)}/deployments/${deployment.id}`;
  return {
    url,
    id: deployment.id,
    node_id: nodeId('Deployment', deployment.id),
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    payload: deployment.payload,
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: deployment.description,
    creator: accountJson(view, deployment.creator),
    created_at: deployment.createdAt,
    updated_at: deployment.updatedAt,
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl(view, repository),
  };
}
