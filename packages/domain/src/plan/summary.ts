/** The changes that a plan would make, as numbers and as a list. Each kind of change, and each other number, has one row here. */

/** Whether it destroys, changes, makes or only renames something: surfaces have one colour for each. */
export type ChangeLook = 'destroy' | 'change' | 'create' | 'move';

interface CountRow {
  readonly heading: string;
  /** The rest of the heading, where there is room for it. */
  readonly note?: string;
  /** Tables have a column for it even when the number is 0. */
  readonly isUsual?: true;
  /** What a sentence says of so many beside the usual ones, of a plan and of its apply: "2 to move", "2 moved". */
  readonly toDo?: (count: number) => string;
  readonly done?: (count: number) => string;
}

interface ChangeRow extends CountRow {
  readonly look: ChangeLook;
  /** One character. */
  readonly sign: string;
  /** What a sentence about a plan says of so many: "destroys 2". */
  readonly does: (count: number) => string;
  /** Something is lost, or may be: a person has to read the plan more closely. */
  readonly loses?: true;
}

/** The actions of a plan on a resource, the destructive ones first: readers must not miss them. */
export const CHANGES = {
  unknown: {
    ...{
      heading: 'Unknown',
      note: "to this release of Nereid: read Terraform's plan",
      look: 'destroy',
      sign: '?',
    },
    loses: true,
    does: (count) => `changes ${count} in an unknown way`,
    toDo: (count) => `${count} unknown ${count === 1 ? 'change' : 'changes'}`,
  },
  delete: {
    ...{ heading: 'Destroy', look: 'destroy', sign: '-' },
    ...{ loses: true, isUsual: true },
    does: (count) => `destroys ${count}`,
  },
  replace: {
    ...{ heading: 'Replace', note: '(destroy, then create)', look: 'destroy', sign: '±' },
    ...{ loses: true, isUsual: true },
    does: (count) => `replaces ${count}`,
  },
  forget: {
    ...{ heading: 'Forget', note: '(stays, but is no longer managed)', look: 'change', sign: '.' },
    loses: true,
    does: (count) => `forgets ${count}`,
    toDo: (count) => `${count} to forget`,
    done: (count) => `${count} forgotten`,
  },
  update: { heading: 'Change', look: 'change', sign: '~', isUsual: true, does: (count) => `changes ${count}` },
  create: { heading: 'Create', look: 'create', sign: '+', isUsual: true, does: (count) => `creates ${count}` },
  import: {
    ...{ heading: 'Import', look: 'create', sign: '=' },
    does: (count) => `imports ${count}`,
    toDo: (count) => `${count} to import`,
    done: (count) => `${count} imported`,
  },
  move: {
    ...{ heading: 'Move', look: 'move', sign: '>' },
    does: (count) => `moves ${count}`,
    toDo: (count) => `${count} to move`,
    done: (count) => `${count} moved`,
  },
} as const satisfies Readonly<Record<string, ChangeRow>>;

export type ChangeAction = keyof typeof CHANGES;

/** In the order in which they are listed. */
export const CHANGE_ACTIONS = Object.keys(CHANGES) as readonly ChangeAction[]; // Its keys.

/** All numbers of a summary. */
export const SUMMARY_COUNTS = {
  ...CHANGES,
  outputs: {
    heading: 'Outputs',
    toDo: (count) => (count === 1 ? '1 output changes' : `${count} outputs change`),
    done: (count) => `${count} ${count === 1 ? 'output' : 'outputs'} changed`,
  },
} as const satisfies Readonly<Record<string, CountRow>>;

export type SummaryCount = keyof typeof SUMMARY_COUNTS;

/** The rows in their order, with their names. */
export const CHANGE_ROWS = Object.entries(CHANGES) as readonly (readonly [ChangeAction, ChangeRow])[]; // Its entries.
export const COUNT_ROWS = Object.entries(SUMMARY_COUNTS) as readonly (readonly [SummaryCount, CountRow])[];

/** "Replace (destroy, then create)": the heading of a list of such changes. */
export function changeTitle({ heading, note }: Pick<CountRow, 'heading' | 'note'>): string {
  return note === undefined ? heading : `${heading} ${note}`;
}

/** Those that every summary has. */
export type KnownCount = Exclude<SummaryCount, 'unknown'>;

export const KNOWN_COUNTS = COUNT_ROWS.flatMap(([name]) => (name === 'unknown' ? [] : [name])) as readonly KnownCount[];

/** Values of resources, sensitive or not, are never part of it. */
export interface PlanSummary extends Readonly<Record<KnownCount, number>> {
  /** Changes that this release does not know, and a person has to judge; absent when there are none. */
  readonly unknown?: number;
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

export const NO_CHANGES = Object.fromEntries(KNOWN_COUNTS.map((name) => [name, 0])) as Readonly<Record<KnownCount, 0>>; // As built.
