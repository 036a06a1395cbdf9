import { describe, expect, test } from '@jest/globals';
import { readCommand } from './command.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };

test.each([
  [['status', 'acme/infra/network'], { verb: 'status', lane: LANE }],
  [['unlock', 'acme/infra/network', '--as', 'ada'], { verb: 'unlock', lane: LANE, as: 'ada' }],
  [['cancel', '--as=ada', 'acme/infra/network'], { verb: 'cancel', lane: LANE, as: 'ada' }],
  [
    ['cancel', 'acme/infra/network', '--as', 'ada', '--deployment', 'd1'],
    { verb: 'cancel', lane: LANE, as: 'ada', deploymentId: 'd1' },
  ],
  [['forget-person', 'bob', '--as', 'ada'], { verb: 'forget-person', login: 'bob', as: 'ada', isMeant: false }],
  [['forget-person', 'bob', '--as', 'ada', '--yes'], { verb: 'forget-person', login: 'bob', as: 'ada', isMeant: true }],
])('%j is a command', (args, command) => {
  expect(readCommand(args)).toEqual(command);
});

describe('what is none says what was expected, and how it is called', () => {
  test.each([
    [[], 'expected status, unlock, cancel or forget-person, found nothing'],
    [['apply', 'acme/infra/network'], 'found apply'],
    [['status'], 'expected one lane as OWNER/NAME/ROOT, found none'],
    [['status', 'acme/infra'], 'found acme/infra'],
    [['status', 'a/b/c', 'd/e/f'], 'found a/b/c d/e/f'],
    [['forget-person', '--as', 'ada'], 'expected one login of a person, found none'],
    [['forget-person', '../x', '--as', 'ada'], 'found ../x'],
    [['forget-person', 'bob'], 'expected your login after --as, found none'],
    [['unlock', 'acme/infra/network'], 'expected your login after --as, found none'],
    [['unlock', 'acme/infra/network', '--force'], "Unknown option '--force'"],
  ])('the command %j is refused, with what was expected', (args, found) => {
    expect(() => readCommand(args)).toThrow(found);
    expect(() => readCommand(args)).toThrow('node apps/worker/src/operator/main.ts unlock OWNER/NAME/ROOT --as LOGIN');
  });
});
