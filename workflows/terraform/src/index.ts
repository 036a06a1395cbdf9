/** The terraform workflow. */
export { terraform } from './terraform.ts';
