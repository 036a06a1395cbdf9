import { describe, expect, test } from '@jest/globals';
import { acceptedText, refusalText } from './replies.ts';

const CONSOLE = 'https://console.example';

describe('acceptedText', () => {
  test('names the roots and where to look', () => {
    const text = acceptedText({ lead: 'Queued', rootNames: ['network', 'my_root'] }, CONSOLE);

    expect(text).toBe(
      'Queued: `network`, `my_root`. Follow it in the checks of this pull request or in the [console](https://console.example).',
    );
  });

  test('names those to which nothing happens, if there are any', () => {
    const accepted = { lead: 'Unlocked', rootNames: ['network'] };

    const some = acceptedText({ ...accepted, others: { lead: 'Not locked', rootNames: ['database'] } }, CONSOLE);
    const none = acceptedText({ ...accepted, others: { lead: 'Not locked', rootNames: [] } }, CONSOLE);

    expect(some).toMatch(/^Unlocked: `network`\. Not locked: `database`\. Follow/);
    expect(none).toMatch(/^Unlocked: `network`\. Follow/);
  });

  test('counts the names that nobody would read', () => {
    const rootNames = Array.from({ length: 23 }, (_, index) => `r${index}`);

    expect(acceptedText({ lead: 'Queued', rootNames }, CONSOLE)).toContain('`r19` and 3 more.');
  });
});

describe('refusalText', () => {
  test('keeps what is foreign in its fence', () => {
    const text = refusalText('Nothing was done:', ['no root "```\n# owned"']);

    expect(text).toBe('Nothing was done:\n\n```text\nno root "    # owned"\n```');
  });
});
