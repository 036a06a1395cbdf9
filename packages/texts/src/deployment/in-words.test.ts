import { describe, expect, test } from '@jest/globals';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { renderCheckRun } from './render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a' };
const WORDS = { ...LINKS, commandName: 'tf', wordsOnly: { forge: 'Words', lane: 'acme/infra/network' } };
const PAGE = 'Words has no buttons: answer [on the page of this deployment](https://console.example/deployments/3f2a)';

const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });

describe('where a forge has no buttons', () => {
  test('a plan that waits says how to answer it, and shows none', () => {
    const { summary, actions } = renderCheckRun({ deployment: waiting }, WORDS);

    expect(summary).toContain(
      [
        `${PAGE}, or in words:`,
        '',
        '- **Confirm**: `nereid confirm acme/infra/network` in a terminal',
        '- **Reject**: `nereid reject acme/infra/network` in a terminal',
      ].join('\n'),
    );
    expect(actions).toEqual([]);
  });

  test('what a comment can do is said too', () => {
    const { summary } = renderCheckRun({ deployment: aDeployment({ status: 'queued' }), lock: aLock() }, WORDS);

    expect(summary).toContain(
      '- **Unlock**: `nereid unlock acme/infra/network` in a terminal, or a comment `tf unlock network` on the pull request',
    );
  });

  test('a plan of a pull request is made again by a comment', () => {
    const preview = { headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40), expiresAt: '2026-02-07T14:05:00.000Z' };
    const lost = { ...aDeployment({ status: 'host-lost' }), trigger: 'preview', preview } as const;

    expect(renderCheckRun({ deployment: lost }, WORDS).summary).toContain(
      `${PAGE}, or in words:\n\n- **Re-run**: a comment \`tf plan network\` on the pull request`,
    );
  });

  test('a text that asks for nothing says nothing of it', () => {
    expect(renderCheckRun({ deployment: aDeployment({ status: 'planning' }) }, WORDS).summary).not.toContain('buttons');
  });
});

test('where a forge has buttons, no words are needed', () => {
  const { summary, actions } = renderCheckRun({ deployment: waiting }, LINKS);

  expect(summary).not.toContain('in a terminal');
  expect(actions.map(({ label }) => label)).toEqual(['Confirm', 'Reject']);
});
