import { describe, expect, test } from '@jest/globals';
import { listPlaces } from './list-places.ts';

const SHA = 'e931dd14c009657228918caf21e2e530f099cbce';
const DETAILS = 'http://127.0.0.1:4144/deployments/bfa97fe5-48b7-4d7b-88fd-92508382db18';

/** Whatever else there is. */
const FIRST = [
  '  Everything that needs a person; all lanes, and who did what',
  '    http://127.0.0.1:4144/',
  '  A merge that deploys twenty roots, of which one fails',
  '    http://127.0.0.1:4144/rollouts',
];

describe('where to look', () => {
  test('on a first start: at the plans that wait', () => {
    const lines = listPlaces(stackWith({ plans: 3, open: 6 }));

    expect(lines).toEqual([
      ...FIRST,
      '  3 plans wait for Confirm or Reject',
      '    http://127.0.0.1:4140/acme/infra/commit/e931dd1',
      '  One of them: its timeline, its plan, its logs as they are written',
      `    ${DETAILS}`,
      '  6 pull requests are open: merge one, or approve it and say "nereid apply"',
      '    http://127.0.0.1:4140/acme/infra/pulls',
      "  Temporal's workflows",
      '    http://127.0.0.1:8233',
      '  Logs of the processes',
      '    /somewhere/nereid/.nereid/logs',
      '  Ctrl-C stops everything.',
    ]);
  });

  test('after some merges: at each of the last commits whose plans wait', () => {
    const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
    const lines = listPlaces(stackWith({ plans: 1, open: 0, alsoOn: [first, second, first] }));

    expect(lines.slice(FIRST.length, FIRST.length + 6)).toEqual([
      '  1 plan waits for Confirm or Reject',
      '    http://127.0.0.1:4140/acme/infra/commit/e931dd1',
      '  2 plans wait for Confirm or Reject',
      '    http://127.0.0.1:4140/acme/infra/commit/aaaaaaa',
      '  1 plan waits for Confirm or Reject',
      '    http://127.0.0.1:4140/acme/infra/commit/bbbbbbb',
    ]);
  });

  test('later, when everything was confirmed: at the pull requests that are left', () => {
    expect(listPlaces(stackWith({ plans: 0, open: 1 })).slice(FIRST.length, FIRST.length + 2)).toEqual([
      '  1 pull request is open: merge it, or approve it and say "nereid apply"',
      '    http://127.0.0.1:4140/acme/infra/pulls',
    ]);
  });

  test('at the end: at how to go on', () => {
    expect(listPlaces(stackWith({ plans: 0, open: 0 }))[FIRST.length]).toBe(
      '  No pull request is open: change a file to propose one',
    );
  });

  test('fits into 80 columns', () => {
    const longest = Math.max(...listPlaces(stackWith({ plans: 3, open: 6 })).map(({ length }) => length));

    expect(longest).toBeLessThanOrEqual(80);
  });
});

function stackWith({ plans, open, alsoOn = [] }: { plans: number; open: number; alsoOn?: readonly string[] }) {
  const label = (text: string) => [{ label: text, identifier: text, description: text }];
  const checkRun = { headSha: SHA, detailsUrl: `${DETAILS}?lane=acme%2Finfra%2Fnetwork&key=k` };
  const shas = [...Array.from({ length: plans }, () => SHA), ...alsoOn];
  const waiting = shas.map((headSha) => ({ ...checkRun, headSha, actions: label('Confirm') }));
  const others = [
    { ...checkRun, actions: label('Unlock') },
    { ...checkRun, actions: [] },
  ];
  const pullRequests = [
    ...Array.from({ length: open }, () => ({ state: 'open' as const })),
    { state: 'closed' as const },
  ];
  return {
    urls: { github: 'http://127.0.0.1:4140', console: 'http://127.0.0.1:4144', temporalUi: 'http://127.0.0.1:8233' },
    folders: { logs: '/somewhere/nereid/.nereid/logs' },
    github: { checkRuns: () => [...waiting, ...others], pullRequests: () => pullRequests },
  };
}
