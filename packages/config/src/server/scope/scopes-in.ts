/** The sections of the server's file whose entries are about some repositories and roots, as they are written. */
import { partOf } from '../../yaml/sound.ts';
import type { Path } from '../../yaml/problem.ts';
import type { Scope } from './scope.ts';

export interface WrittenScope extends Scope {
  /** Of the entry. */
  readonly path: Path;
  /** The entry, as the subject of a sentence: "this window". */
  readonly what: string;
}

const LISTS = {
  policies: 'this policy',
  windows: 'this window',
  budgets: 'this budget',
  waves: 'this wave',
  notifications: 'this destination',
  protection_rules: 'this rule',
} as const;

/** Of a file whose shape may be wrong: then only what is right. */
export function scopesIn(file: unknown): readonly WrittenScope[] {
  const listed = Object.entries(LISTS).flatMap(([section, what]) =>
    itemsOf(partOf(file, section)).map((entry, index) => scopeOf(entry, [section, index], what)),
  );
  return [...listed, scopeOf(partOf(file, 'deployments'), ['deployments'], 'this section')];
}

function scopeOf(entry: unknown, path: Path, what: string): WrittenScope {
  return { path, what, repositories: textsOf(partOf(entry, 'repositories')), roots: textsOf(partOf(entry, 'roots')) };
}

/** What is no text keeps its place. */
function textsOf(written: unknown): readonly string[] {
  return itemsOf(written).map((each) => (typeof each === 'string' ? each : ''));
}

function itemsOf(written: unknown): readonly unknown[] {
  return Array.isArray(written) ? written : [];
}
