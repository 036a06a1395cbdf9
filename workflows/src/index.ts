/** Every workflow, by the name under which it is started: what the worker bundles. */
export { ask } from './ask/ask.ts';
export { deploy } from './deploy/deploy.ts';
export { forceUnlock } from './force-unlock/force-unlock.ts';
export { intake } from './intake/intake.ts';
export { pullRequest } from './pull-request/pull-request.ts';
export { reconcile } from './reconcile/reconcile.ts';
export { retention } from './reconcile/retention.ts';
export { rollout } from './rollout/rollout.ts';
export { watch } from './reconcile/watch.ts';
export { terraform } from './terraform/terraform.ts';
export { waveCheck } from './wave-check/wave-check.ts';
