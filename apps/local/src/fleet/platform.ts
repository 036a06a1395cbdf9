/** A second repository for the pages that show many: twenty roots that share a module, so that one merge deploys them all. */
import type { FileChanges } from '@nereid/github-stand-in';
import { PEOPLE } from '../sample/people.ts';
import type { DeployedRoot } from '../stack/own-states.ts';
import { failsWith, filesOf } from './root-files.ts';

export const PLATFORM = { owner: 'acme', name: 'platform' } as const;

export const PLATFORM_NAME = `${PLATFORM.owner}/${PLATFORM.name}`;

export const PLATFORM_PEOPLE = { ...PEOPLE, dave: 'maintain' } as const;

const APPLIED_AT_ONCE = [
  'alerts',
  'artifacts',
  'backups',
  'budgets',
  'cache',
  'certificates',
  'dashboards',
  'logs',
  'metrics',
] as const;

const REVIEWED = [
  'accounts',
  'cdn',
  'cluster-blue',
  'cluster-green',
  'gateway',
  'identity',
  'mesh',
  'queue',
  'registry',
  'secrets',
] as const;

/** Its apply fails, and locks its lane. */
export const FAILING = 'runners';

export const PLATFORM_ROOTS: readonly DeployedRoot[] = [
  ...APPLIED_AT_ONCE.map((name) => ({ name, planReview: 'auto', onFailure: 'continue' }) as const),
  ...REVIEWED.map((name) => ({ name, planReview: 'required', onFailure: 'continue' }) as const),
  { name: FAILING, planReview: 'auto', onFailure: 'halt' },
];

export function platformFiles(): FileChanges {
  const names = PLATFORM_ROOTS.map(({ name }) => name);
  return filesOf(README, names, { [FAILING]: failsWith('The quota of runners is used up: 20 of 20.') });
}

const README = `# platform

Twenty roots that use the module \`modules/baseline\`: a change of it deploys them all. Half of them have \`plan_review: auto\`.
The apply of \`${FAILING}\` fails, and with \`on_failure: halt\` that locks its lane.
`;
