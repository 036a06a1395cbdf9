/**
 * How often GitHub is written to about a merge of two hundred roots: of which nobody has to confirm any, and of which a person
 * confirms each, as soon as it has a button. GitHub takes 900 points a minute and a write costs five, so every write makes
 * everybody else's come later.
 */
import { ROLLOUT_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { WRITES_LIMIT } from '@nereid/domain/rollout';
import type { Stack } from '@nereid/local/stack';
import { deploy } from '../deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from '../deployments/sample-repository.ts';
import { withStack } from '../deployments/with-stack.ts';

export interface WritesBench {
  readonly what: 'nobody is asked' | 'a person is asked about each';
  readonly roots: number;
  /** What Nereid promises for a merge of this size. */
  readonly most: number;
  readonly all: number;
  /** Check runs: how many were created, that of all roots among them, and how often they were updated. */
  readonly created: number;
  readonly updated: number;
  /** Whatever else changed something on GitHub, by route. */
  readonly others: Readonly<Record<string, number>>;
}

const ROOTS = 200;

/** Three times as long as it takes. */
const DEADLINE_MS = 900_000;

export async function benchWrites(env: NodeJS.ProcessEnv): Promise<readonly WritesBench[]> {
  const unasked = await withStack({ env, planReview: 'auto' }, countWrites);
  const asked = await withStack({ env, planReview: 'required' }, countWrites);
  return [
    { what: 'nobody is asked', roots: ROOTS, most: ROOTS + WRITES_LIMIT, ...unasked },
    { what: 'a person is asked about each', roots: ROOTS, most: 2 * ROOTS + WRITES_LIMIT, ...asked },
  ];
}

type Counted = Omit<WritesBench, 'what' | 'roots' | 'most'>;

async function countWrites(stack: Stack): Promise<Counted> {
  const { github, folders } = stack;
  const names = rootNames(ROOTS);
  const files = rootFiles(names, folders.state);
  await github.createRepository({ ...SAMPLE, files, collaborators: { alice: 'write' } });
  github.resetTraffic();
  await deploy(stack, ROOTS, changeOf(names, 1), DEADLINE_MS);
  const isOver = () =>
    github
      .checkRuns(SAMPLE_NAME)
      .some(({ name, conclusion }) => name === ROLLOUT_CHECK_RUN_NAME && conclusion !== null) || undefined;
  await github.waitFor(isOver, { what: 'the end of the rollout', deadlineMs: DEADLINE_MS });
  return writesIn(github);
}

const CREATED = /^POST .*\/check-runs$/;
const UPDATED = /^PATCH .*\/check-runs\//;

/** A token that GitHub gives changes nothing that people see. */
function writesIn(github: Stack['github']): Counted {
  const writes = github
    .requestCounts()
    .filter(({ route }) => /^(?:POST|PATCH|PUT|DELETE) /.test(route) && !route.endsWith('access_tokens'));
  const sum = (counts: typeof writes) => counts.reduce((all, { count }) => all + count, 0);
  const others = writes.filter(({ route }) => !CREATED.test(route) && !UPDATED.test(route));
  return {
    all: sum(writes),
    created: sum(writes.filter(({ route }) => CREATED.test(route))),
    updated: sum(writes.filter(({ route }) => UPDATED.test(route))),
    others: Object.fromEntries(others.map(({ route, status, count }) => [`${route} (${status})`, count])),
  };
}
