/** `control` runs workflows and their short activities; `terraform` runs the activities that touch this host's disk. */
export const ROLES = ['control', 'terraform'] as const;
export type Role = (typeof ROLES)[number];
