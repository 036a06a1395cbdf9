import { describe, expect, test } from '@jest/globals';
import { checkRunName } from '@nereid/domain/deployment';
import type { IntakeEvent } from '@nereid/domain/intake';
import { notTaken } from './not-taken.ts';

const SHA = 'a'.repeat(40);
const ABOUT = { repository: { owner: 'acme', name: 'infra', installationId: 1 }, sender: 'carol' };
const CHECK_RUN = { id: 5, name: checkRunName('network'), headSha: SHA, externalId: 'd1', conclusion: 'failure' };
const REFUSAL = 'it could not be carried out, or only in part: GitHub is away';

const comment = (line: string): IntakeEvent => ({
  ...ABOUT,
  kind: 'comment',
  pullRequest: 12,
  commentId: 3,
  createdAt: '2026-01-01T00:00:00Z',
  line,
});

describe('an event that nobody could take', () => {
  test.each<[string, IntakeEvent, object]>([
    [
      'a button',
      { ...ABOUT, kind: 'button', checkRun: CHECK_RUN, button: { kind: 'confirm', mark: '0123456789ab' } },
      { action: 'confirm', rootNames: ['network'], revision: SHA, deploymentId: 'd1' },
    ],
    [
      'a re-run',
      { ...ABOUT, kind: 'rerun', checkRun: CHECK_RUN },
      { action: 'rerun', rootNames: ['network'], revision: SHA, deploymentId: 'd1' },
    ],
    [
      'a re-run of all',
      { ...ABOUT, kind: 'rerun-all', checkSuiteId: 7, headSha: SHA },
      { action: 'rerun', rootNames: [], revision: SHA },
    ],
    [
      'a command, with the roots that it names',
      comment('nereid apply -f network dns'),
      { action: 'apply_force', rootNames: ['network', 'dns'], pullRequest: 12 },
    ],
    [
      'a request for a host',
      { kind: 'operator-request', request: { action: 'drain', hostId: 'h1' }, sender: 'carol', proof: 'sealed' },
      { action: 'drain', hostId: 'h1' },
    ],
  ])('the loss of %s is audited with the reason', (_what, event, press) => {
    expect(notTaken(event, 'GitHub is away')).toEqual([{ ...press, refusal: REFUSAL }]);
  });

  test.each<[string, IntakeEvent]>([
    ['a push', { ...ABOUT, kind: 'push', branch: 'main', before: SHA, after: SHA, forced: false }],
    ['a call for help', comment('nereid help')],
    [
      'what another release knows',
      { ...ABOUT, kind: 'request', request: { action: 'no-such-action' }, proof: '' } as unknown as IntakeEvent,
    ],
    [
      'what no release knows',
      { ...ABOUT, kind: 'operator-request', request: { action: 'constructor' }, proof: '' } as unknown as IntakeEvent,
    ],
  ])('the loss of %s is not audited', (_what, event) => {
    expect(notTaken(event, 'GitHub is away')).toEqual([]);
  });
});
