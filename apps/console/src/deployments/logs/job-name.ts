/** The two jobs of a deployment, in the order in which they run. */
export const JOB_NAMES = ['plan', 'apply'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export function isJobName(name: unknown): name is JobName {
  return JOB_NAMES.some((known) => known === name);
}
