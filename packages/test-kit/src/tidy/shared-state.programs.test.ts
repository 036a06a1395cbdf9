import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from '../repository.ts';

/** What a module that workflows share may not have at its top level. */
const REFUSED = {
  'a variable': 'export let count = 0;',
  'an empty list that is not exported': 'const seen: string[] = [];',
  'a list without a readonly type': 'const names = ["a", "b"];',
  'an empty object that is not exported': 'const cache: Record<string, string> = {};',
  'an object with a field that can be changed': 'const last = { time: 0 };',
  'a map': 'const known = new Map<string, string>();',
  'a map within an object': 'const kept = { byName: new Map<string, string>() } as const;',
  'a static field': 'export class Counter { static count = 0; }',
  'a static list': 'export class Names { static readonly all: string[] = []; }',
  'a static map': 'export class Places { static readonly all = new Map<string, string>(); }',
  'a variable of a static block': 'export class Block { static { let n = 0; Reflect.set(this, "next", () => ++n); } }',
  'a function that counts': 'const next = counter();',
  'an object that counts': 'const numbers = { next: counter() } as const;',
  'a function that keeps results': 'const remembered = memoize((n: number) => n * 2);',
  'a function made on the spot that counts': 'const ids = (() => { let n = 0; return () => ++n; })();',
  'an object of a class with state': 'const inbox = new Inbox();',
  'a property of a function': 'export function act() { act.calls += 1; }\nact.calls = 0;',
  'a readonly list that is changed all the same':
    'const fixed: readonly string[] = []; export const add = () => (fixed as string[]).push("a");',
  'a constant that is assigned to':
    'const own = { a: 1 } as const; export const set = () => Object.assign(own, { a: 2 });',
  'a pattern that remembers its last match':
    'const digits = /\\d/g; export const has = (text: string) => digits.test(text);',
};

const ALLOWED = {
  'a number and a text': 'export const LIMIT = 3, NAME = "a";',
  constants: 'export const LABELS = { a: "A", list: ["b"] } as const;',
  'a readonly list': 'export const NONE: readonly string[] = [];',
  'a readonly record': 'export const TABLE: Readonly<Record<string, number>> = {};',
  'a map that nobody can change': 'export const EMPTY: { readonly names: ReadonlySet<string> } = { names: new Set() };',
  'a memory by object':
    'const sizes = new WeakMap<object, number>(); export const put = (of: object) => sizes.set(of, 1);',
  'a static constant': 'export class Level { static readonly highest = 3; }',
  'functions that keep nothing': 'const double = twice((n) => n + 1); export const four = () => double(2);',
  'state of a call': 'export function run() { let n = 0; const list: number[] = []; list.push(++n); return list; }',
  'a pattern that is used for all matches':
    'const words = /\\w+/g; export const count = (t: string) => t.match(words);',
};

const HELPERS = `
export function counter() { let n = 0; return () => ++n; }
export function memoize(of: (n: number) => number) { const kept: number[] = []; return (n: number) => (kept[n] ??= of(n)); }
export function twice(of: (n: number) => number) { const again = (n: number) => of(of(n)); return again; }
export class Inbox { #waiting = 0; push() { return ++this.#waiting; } }
`;

/** A module of the workflows, so that ESLint finds it in a project. Its text is ours. */
const MODULE = 'workflows/src/timestamp.ts';

interface Report {
  readonly messages: readonly { readonly ruleId: string | null; readonly line: number; readonly message: string }[];
}

/** The titles of the snippets that the rule refuses. */
let refused: ReadonlySet<string | undefined>;

beforeAll(() => {
  const snippets = Object.entries({ ...REFUSED, ...ALLOWED });
  const lines = snippets.flatMap(([title, code]) => code.split('\n').map(() => title));
  const text = [...snippets.map(([, code]) => code), HELPERS].join('\n');
  const eslint = path.join(REPOSITORY, 'node_modules/eslint/bin/eslint.js');
  const argv = ['-c', '.config/eslint.config.js', '--format', 'json', '--stdin', '--stdin-filename', MODULE];
  const { stdout } = spawnSync(process.execPath, [eslint, ...argv], { cwd: REPOSITORY, input: text, encoding: 'utf8' });
  const [report] = JSON.parse(stdout) as [Report]; // Of ESLint.
  const found = report.messages.filter(({ ruleId }) => ruleId === 'nereid/no-shared-state');
  refused = new Set(found.map(({ line }) => lines[line - 1]));
});

describe('workflows of one worker would share', () => {
  test.each(Object.keys(REFUSED))('%s: refused', (title) => {
    expect(refused).toContain(title);
  });
});

describe('what never changes may be shared:', () => {
  test.each(Object.keys(ALLOWED))('workflows of one worker may share %s', (title) => {
    expect(refused).not.toContain(title);
  });
});
