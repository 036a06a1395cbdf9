/** What a plan does to resources, the destructive first: readers must not miss them. */
export const COUNTED_CHANGES = ['delete', 'replace', 'forget', 'update', 'create', 'import', 'move'] as const;
export type CountedChange = (typeof COUNTED_CHANGES)[number];

/** In the order in which they are listed. */
export const CHANGE_ACTIONS = ['unknown', ...COUNTED_CHANGES] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** The changes that a plan would make. Values, sensitive or not, are never part of it. */
export interface PlanSummary extends Readonly<Record<CountedChange, number>> {
  /** Changes that this release does not know, and a person has to judge; absent when there are none. */
  readonly unknown?: number;
  /** Outputs that change. */
  readonly outputs: number;
  /** At most 200, deletes first; the rest is counted in `omitted`. A resource that is forgotten and made again is there twice. */
  readonly resources: readonly ResourceChange[];
  readonly omitted: number;
}

export interface ResourceChange {
  /** Terraform's address, cut at 200 characters. Comes from the repository: hostile. */
  readonly address: string;
  readonly action: ChangeAction;
  /** Terraform's own words for an unknown action, at most 60 characters: hostile. Present for these alone. */
  readonly words?: string;
}

export const NO_CHANGES = {
  ...{ delete: 0, replace: 0, forget: 0 },
  ...{ update: 0, create: 0, import: 0, move: 0 },
} as const satisfies Record<CountedChange, 0>;
