import { describe, expect, test } from '@jest/globals';
import { CONFIG_CHECK_RUN_NAME, checkRunName } from '@nereid/github';
import { rootOfCheckRun } from './check-run-root.ts';

describe('rootOfCheckRun', () => {
  test('takes apart what checkRunName builds', () => {
    const rootName = rootOfCheckRun(checkRunName('prod.network'));

    expect(rootName).toBe('prod.network');
  });

  test.each([CONFIG_CHECK_RUN_NAME, checkRunName(''), 'build'])('%s is no deployment', (name) => {
    const rootName = rootOfCheckRun(name);

    expect(rootName).toBeUndefined();
  });
});
