/** The steps of the workflow that need neither Helm nor a registry; release.production.test.ts has the others. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aRunner, TOP, type Runner } from './testing.ts';
import { versionOf } from './version.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

let runner: Runner;

beforeEach(async () => {
  runner = await aRunner();
});

afterEach(() => runner.remove());

describe('make release-check', () => {
  test('ends the release where the tag is another version', async () => {
    const made = await runner.make('release-check', { TAG: 'v9.9.9', REPOSITORY: 'Acme/nereid' });

    expect(made.status).not.toBe(0);
    expect(made.stderr).toContain(`the tag: expected v${await versionOf(TOP)}, found v9.9.9`);
    expect(await runner.outputs()).toEqual([]);
  });
});

describe('make release-sign', () => {
  test('signs an image by its digest, and tells it to the chart', async () => {
    const image = `ghcr.io/acme/nereid-worker@${DIGEST}`;

    expect(await runner.make('release-sign', { IMAGE: image, PROCESS: 'worker' })).toMatchObject({ status: 0 });

    expect(await runner.calls()).toEqual([`cosign sign --yes ${image}`]);
    expect(await runner.outputs()).toEqual([`worker=${DIGEST}`]);
  });

  test('signs no image by its tag, of which nobody knows what it is', async () => {
    const made = await runner.make('release-sign', { IMAGE: 'ghcr.io/acme/nereid-worker:0.1.0' });

    expect(made.status).not.toBe(0);
    expect(made.stderr).toContain('expected an image by its digest');
    expect(await runner.calls()).toEqual([]);
  });
});
