import { expect, test } from '@jest/globals';
import { withoutMentions } from './without-mentions.ts';

test('words from outside mention nobody, and addresses stay', () => {
  expect(withoutMentions('@bob set a lock, open /srv/@prod/main.tf')).toBe('bob set a lock, open /srv/prod/main.tf');
  expect(withoutMentions('git@github.com: Permission denied')).toBe('git@github.com: Permission denied');
});
