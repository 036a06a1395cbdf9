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
  create(github: GitHubStandIn): Promise<void>;
  filesOf(change: Change, applyMs: number): Readonly<Record<string, string>>;
  /** The changes that were applied, in order. */
  ledger(): Promise<readonly Change[]>;
}

/** `state`: a folder that roots may write. */
export function createStormRepository(state: string, roots: number): StormRepository {
  const ledger = path.join(state, 'ledger');
  const rootNames = Array.from({ length: roots }, (_, index) => `r${String(index).padStart(2, '0')}`);
  const asking = rootNames.filter((_, index) => index % 2 === 0);
  return {
    rootNames,
    policy: {
      match: STORM_NAME,
      plan_review: 'auto',
      permissions: { stop: { permission: 'write' }, thaw: { permission: 'write' } },
      roots: Object.fromEntries(asking.map((name) => [name, { plan_review: 'required' }])),
    },
    async create(github) {
      const files = Object.fromEntries(rootNames.map((name) => [`${name}/main.tf`, settings(state, name)]));
      await github.createRepository({ owner: OWNER, name: NAME, files, collaborators: PEOPLE });
    },
    filesOf: (change, applyMs) => ({ [`${change.rootName}/apply.tf`]: counted(change, applyMs, ledger) }),
    async ledger() {
      const text = await readFile(ledger, 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean).map(parse);
    },
  };
}

function settings(stateFolder: string, rootName: string): string {
  return `terraform {
  backend "local" { path = "${path.join(stateFolder, `${rootName}.tfstate`)}" }
}
`;
}

/** Replaces the change before it, so that an apply does not make up for an earlier one that was left undone. */
function counted({ rootName, kind, number }: Change, applyMs: number, ledger: string): string {
  const entry = `${rootName} ${kind} ${number}`;
  return `resource "terraform_data" "apply" {
  triggers_replace = "${entry}"

  provisioner "local-exec" { command = "sleep ${applyMs / 1_000}; echo '${entry}' >> ${ledger}" }
}
`;
}

function parse(line: string): Change {
  const [rootName = '', kind, number] = line.split(' ');
  if (kind !== 'merge' && kind !== 'manual') throw new Error(`expected an entry of the ledger, found ${line}`);
  return { rootName, kind, number: Number(number) };
}
