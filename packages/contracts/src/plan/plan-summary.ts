/** The changes that a plan would make. Values, sensitive or not, are never part of it. */
export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly import: number;
  readonly move: number;
  readonly forget: number;
  /** Changes that this release does not know, and a person has to judge; absent when there are none. */
  readonly unknown?: number;
  /** Outputs that change. */
  readonly outputs: number;
  /** At most 200, deletes first; the rest is counted in `omitted`. A resource that is forgotten and made anew is there twice. */
  readonly resources: readonly ResourceChange[];
  readonly omitted: number;
}

export type ChangeAction = 'create' | 'update' | 'replace' | 'delete' | 'import' | 'move' | 'forget' | 'unknown';

export interface ResourceChange {
  /** Terraform's address, cut at 200 characters. Comes from the repository: hostile. */
  readonly address: string;
  readonly action: ChangeAction;
  /** Terraform's own words for an unknown action, at most 60 characters: hostile. Present for these alone. */
  readonly words?: string;
}
