/**
 * A root steals in a real stack, when it is planned and when it is applied. What it tries succeeds without a sandbox, so that
 * nothing is refused by accident; `sandbox.programs.test.ts` of the worker has the ways that need no stack.
 */
import { expect, test } from '@jest/globals';
import { playHeist, type Heist } from './heist.ts';
import { OF_THE_NETWORK, WAYS } from './ways.ts';

const ALL = Object.keys(WAYS);

/** The secrets in their environments, which no log hides, because the host does not know them. */
const OF_PROCESSES = ['gateway', 'worker', 'worker-2', 'console'];
const OF_OTHERS = [
  'vault',
  'memory',
  'console-key.pem',
  'control-seal-key.pem',
  'gateway-key.pem',
  'github-app-private-key.pem',
  'github-webhook-secret',
  'link-key',
  'orders-key.pem',
  'payload-key',
  'plan-key',
  'pool-key.pem',
  'pool-seal-key.pem',
];

test('without a sandbox, a root reaches everything, and what it stole is kept and shown', async () => {
  const heist = await playHeist({ env: process.env, sandbox: 'none', network: 'host' });

  expect(heist.plan).toEqual(ALL);
  expect(heist.apply).toEqual(ALL);
  expect(heist.unread).toEqual([]);
  // What the processes count and log of themselves has no text of a root.
  const shown = Object.entries(heist.found).filter(([place]) => !['metrics', 'logs'].includes(place));
  for (const [, found] of shown) expect(found).toEqual(expect.arrayContaining(OF_PROCESSES));
  expect(heist.found['storage']?.toSorted()).toEqual([...OF_PROCESSES, ...OF_OTHERS].toSorted());
});

test.each([
  ['without a network, it reaches nothing', 'none', []],
  ['with the network of the machine, it reaches that', 'host', OF_THE_NETWORK],
] as const)('in its sandbox %s, and no secret is anywhere', async (_what, network, reached) => {
  const heist = await playHeist({ env: process.env, sandbox: 'bubblewrap', network });

  const expected: Heist = { plan: reached, apply: reached, found: NOTHING, unread: [] };
  expect(heist).toEqual(expected);
});

const NOTHING = {
  processes: [],
  plan: [],
  disk: [],
  storage: [],
  histories: [],
  'check runs': [],
  metrics: [],
  logs: [],
};
