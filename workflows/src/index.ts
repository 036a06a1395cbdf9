/** Every workflow, by the name under which it is started: what the worker bundles. */
export { deploy } from './deploy/deploy.ts';
export { forceUnlock } from './force-unlock/force-unlock.ts';
export { identityToken } from './identity-token/identity-token.ts';
export { intake } from './intake/intake.ts';
export { lateOutcome } from './late-outcome/late-outcome.ts';
export { pullRequest } from './pull-request/pull-request.ts';
export { readToken } from './read-token/read-token.ts';
export { repositoryAccess } from './repository-access/repository-access.ts';
export { reconcile } from './reconcile/reconcile.ts';
export { watch } from './reconcile/watch.ts';
export { terraform } from './terraform/terraform.ts';
