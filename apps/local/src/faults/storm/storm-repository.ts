/**
 * A repository of many roots that count their own applies: each apply of a change appends a line to a ledger outside of the
 * repository, so that the truth is measured, not asked.
 */
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PEOPLE } from '../../sample/people.ts';

const OWNER = 'acme';
const NAME = 'storm';

export const STORM_NAME = `${OWNER}/${NAME}`;

/** One change of one root. */
export interface Change {
  readonly rootName: string;
  /** Counts up within its root, in the order of the branch. */
  readonly number: number;
  readonly kind: 'merge' | 'manual';
}

export interface StormRepository {
  readonly rootNames: readonly string[];
  /** The repository's entry in the server's file: half of the roots require a review. */
  readonly policy: object;
  /** The roots that share a budget of one apply at a time. */
  readonly narrow: readonly string[];
  /** The server's file, as far as it is about those, and about merges of several roots. */
  readonly limits: { readonly budgets: readonly object[]; readonly waves: readonly object[] };
  create(github: GitHubStandIn): Promise<void>;
  filesOf(change: Change, applyMs: number): Readonly<Record<string, string>>;
  /** The changes that were applied, in order. */
  ledger(): Promise<readonly Change[]>;
  /** The applies of which both the beginning and the end were seen, in order. */
  spans(): Promise<readonly Span[]>;
}

/** When an apply ran, in epoch milliseconds. */
export interface Span {
  readonly name: string;
  readonly rootName: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** One root goes first, then another one, then the others. */
const WAVES = [
  { name: 'first', repositories: [STORM_NAME], max: 1, soak: '1s' },
  { name: 'second', repositories: [STORM_NAME], max: 1, soak: '2s' },
] as const;

/** `state`: a folder that roots may write. */
export function createStormRepository(state: string, roots: number): StormRepository {
  const files = { ledger: path.join(state, 'ledger'), spans: path.join(state, 'spans') };
  const rootNames = Array.from({ length: roots }, (_, index) => `r${String(index).padStart(2, '0')}`);
  const asking = rootNames.filter((_, index) => index % 2 === 0);
  const narrow = rootNames.filter((_, index) => index % 3 === 1);
  const budget = { name: 'narrow', applies: 1, repositories: [STORM_NAME], roots: narrow };
  return {
    rootNames,
    narrow,
    limits: { budgets: [budget], waves: WAVES },
    policy: {
      match: STORM_NAME,
      plan_review: 'auto',
      permissions: {
        ...{ stop: { permission: 'write' }, thaw: { permission: 'write' } },
        skip_soak: { permission: 'write' },
      },
      roots: Object.fromEntries(asking.map((name) => [name, { plan_review: 'required' }])),
    },
    async create(github) {
      const files = Object.fromEntries(rootNames.map((name) => [`${name}/main.tf`, settings(state, name)]));
      await github.createRepository({ owner: OWNER, name: NAME, files, collaborators: PEOPLE });
    },
    filesOf: (change, applyMs) => ({ [`${change.rootName}/apply.tf`]: counted(change, applyMs, files) }),
    ledger: async () => (await linesOf(files.ledger)).map(parse),
    spans: async () => spansIn(await linesOf(files.spans)),
  };
}

async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
}

function settings(stateFolder: string, rootName: string): string {
  return `terraform {
  backend "local" { path = "${path.join(stateFolder, `${rootName}.tfstate`)}" }
}
`;
}

/** Replaces the change before it, so that an apply does not make up for an earlier one that was left undone. */
function counted(change: Change, applyMs: number, { ledger, spans }: { ledger: string; spans: string }): string {
  const entry = `${change.rootName} ${change.kind} ${change.number}`;
  const stamped = (word: string) => `echo '${entry} ${word}' $(date +%s%3N) >> ${spans}`;
  const steps = [stamped('from'), `sleep ${applyMs / 1_000}`, `echo '${entry}' >> ${ledger}`, stamped('to')];
  return `resource "terraform_data" "apply" {
  triggers_replace = "${entry}"

  provisioner "local-exec" { command = "${steps.join('; ')}" }
}
`;
}

/** A line is "r01 merge 7 from 1769868000000". An apply that was killed has no end. */
function spansIn(lines: readonly string[]): readonly Span[] {
  const begun = new Map<string, number>();
  return lines.flatMap((line) => {
    const [rootName = '', kind = '', number = '', word, ms] = line.split(' ');
    const name = `${rootName} ${kind} ${number}`;
    const fromMs = begun.get(name);
    if (word === 'from') begun.set(name, Number(ms));
    return word === 'to' && fromMs !== undefined ? [{ name, rootName, fromMs, toMs: Number(ms) }] : [];
  });
}

function parse(line: string): Change {
  const [rootName = '', kind, number] = line.split(' ');
  if (kind !== 'merge' && kind !== 'manual') throw new Error(`expected an entry of the ledger, found ${line}`);
  return { rootName, kind, number: Number(number) };
}
