import { describe, expect, test } from '@jest/globals';
import { acceptedText, helpText, refusalText } from './replies.ts';

describe('acceptedText', () => {
  const roots = [{ name: 'network' }];

  test('names the roots, with what there is to say of each, and where to look', () => {
    const text = acceptedText({ lead: 'Queued', roots: [...roots, { name: 'my_root', note: 'after [this](url)' }] });

    expect(text).toBe(
      'Queued: `network`, `my_root` (after [this](url)). Follow it in the checks of this pull request.',
    );
  });

  test('names those to which nothing happens, if there are any', () => {
    const some = acceptedText({
      lead: 'Unlocked',
      roots,
      others: { lead: 'Not locked', roots: [{ name: 'database' }] },
    });
    const none = acceptedText({ lead: 'Unlocked', roots, others: { lead: 'Not locked', roots: [] } });

    expect(some).toMatch(/^Unlocked: `network`\. Not locked: `database`\. Follow/);
    expect(none).toMatch(/^Unlocked: `network`\. Follow/);
  });

  test('counts the names that nobody would read', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ name: `r${index}` }));

    expect(acceptedText({ lead: 'Queued', roots: many })).toContain('`r19` and 3 more.');
  });
});

describe('helpText', () => {
  test('lists the commands under the name they have here', () => {
    expect(helpText('tf')).toMatch(/^Commands, .*`tf apply \[root…\] -f`/s);
  });

  test('says first what was not understood', () => {
    expect(helpText('tf', 'tf has no command aply')).toMatch(
      /^Nothing was done:\n\n```text\ntf has no command aply\n```\n\nCommands, /,
    );
  });
});

describe('refusalText', () => {
  test('keeps what is foreign in its fence', () => {
    const text = refusalText('Nothing was done:', ['no root "```\n# owned"']);

    expect(text).toBe('Nothing was done:\n\n````text\nno root "``` # owned"\n````');
  });

  test('shows colours of Terraform as plain text, and keeps the indentation of its lines', () => {
    const text = refusalText('Nothing was done:', ['\u001b[31mError:\u001b[0m locked', '  ID: 1']);

    expect(text).toBe('Nothing was done:\n\n```text\nError: locked\n  ID: 1\n```');
  });
});
