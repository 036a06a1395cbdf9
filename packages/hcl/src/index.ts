/** Reads the blocks and the plain strings of files in Terraform's language, without a parser and without Terraform. */
export { scanHcl, type HclPart } from './scan-hcl.ts';
