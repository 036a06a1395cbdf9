/** Every workflow, by the name under which it is started: what the worker bundles. */
export { deploy } from '@nereid/workflow-deploy';
export { intake } from '@nereid/workflow-intake';
export { reconcile, watch } from '@nereid/workflow-reconcile';
export { terraform } from '@nereid/workflow-terraform';
