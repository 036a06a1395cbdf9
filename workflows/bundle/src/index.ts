/** Every workflow, under the name by which it is started. The worker bundles this file. */
export { deploy } from '@nereid/workflow-deploy';
export { intake } from '@nereid/workflow-intake';
export { reconcile, watch } from '@nereid/workflow-reconcile';
export { terraform } from '@nereid/workflow-terraform';
