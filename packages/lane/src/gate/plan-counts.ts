/** A plan in one line. */
import type { PlanSummary } from '@nereid/contracts';

/** "2 to add, 1 to change, 0 to destroy", as Terraform counts: a replacement is one to add and one to destroy. */
export function planCounts(summary: PlanSummary): string {
  const extras = [
    ...(summary.import > 0 ? [`${summary.import} to import`] : []),
    ...(summary.move > 0 ? [`${summary.move} to move`] : []),
    ...(summary.forget > 0 ? [`${summary.forget} to forget`] : []),
    ...(summary.outputs > 0 && summary.resources.length === 0 ? [outputs(summary.outputs)] : []),
  ];
  return [
    `${summary.create + summary.replace} to add`,
    `${summary.update} to change`,
    `${summary.delete + summary.replace} to destroy`,
    ...extras,
  ].join(', ');
}

function outputs(count: number): string {
  return count === 1 ? '1 output changes' : `${count} outputs change`;
}
