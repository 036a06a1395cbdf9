/** A release as far as one machine makes it: its files, its chart in a registry, and the calls that sign and publish them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, startUntilReady } from '@nereid/test-kit';
import { runHelm } from '@nereid/test-kit/chart';
import { findCrane } from '@nereid/test-kit/release-tools';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { aRunner, TOP, type Made, type Runner } from './testing.ts';
import { versionOf } from './version.ts';

/** Building the registry takes a minute, the first time; a slow line and a single core many times that. */
const BUILT_WITHIN_MS = 20 * 60_000;
const READY_TIMEOUT_MS = 60_000;

const FILES = path.join(TOP, 'dist/release');
const DIGESTS = ['gateway', 'worker', 'console'].map((name, at) => `${name}=sha256:${String(at).repeat(64)}`).join(' ');

const opened = new AsyncDisposableStack();
let runner: Runner;
/** Without TLS, on this machine. */
let registry: string;
let version: string;

beforeAll(async () => {
  version = await versionOf(TOP);
  runner = await aRunner();
  opened.defer(() => runner.remove());
  const crane = await findCrane(process.env);
  registry = `127.0.0.1:${await freePort()}`;
  const started = await startUntilReady({
    name: 'a registry',
    process: {
      argv: [crane, 'registry', 'serve', '--address', registry],
      env: {},
      cwd: runner.folder,
      logFile: path.join(runner.folder, 'registry.log'),
    },
    isReady: async () => (await fetch(`http://${registry}/v2/`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  opened.defer(() => started.stop());
}, BUILT_WITHIN_MS);

afterAll(() => opened.disposeAsync());

describe('make release-chart', () => {
  let made: Made;
  let chart: string;

  beforeAll(async () => {
    const variables = { REPOSITORY: 'Acme/nereid', REGISTRY: registry, DIGESTS };
    made = await runner.make('release-chart', variables);
    chart = `oci://${registry}/charts/nereid`;
  });

  test('pushes the chart, and signs it by its digest', async () => {
    expect(made).toMatchObject({ status: 0 });
    const [, digest = ''] = /nereid@(sha256:[0-9a-f]{64})/.exec(made.stdout) ?? [];
    expect(await runner.calls()).toContain(`cosign sign --yes ${registry}/charts/nereid@${digest}`);
  });

  test('people install it without a clone, with the images of the release by their digests', async () => {
    const values = path.join(TOP, 'apps/chart/examples/minimal.yaml');
    // Of the example, whose registry is a company's own.
    const own = ['--set', `image.registry=${registry}`];
    const options = ['--version', version, '--plain-http', '--values', values, ...own];

    const rendered = await runHelm(['template', 'nereid', chart, ...options]);

    expect(rendered).toMatchObject({ kind: 'exited', exitCode: 0 });
    for (const pair of DIGESTS.split(' ')) {
      const [name = '', digest = ''] = pair.split('=');
      expect(rendered.stdout).toContain(`image: ${registry}/nereid-${name}@${digest}`);
    }
  });

  test('it says where it comes from, as Artifact Hub reads it', async () => {
    const shown = await runHelm(['show', 'chart', chart, '--version', version, '--plain-http']);

    expect(parse(shown.stdout)).toMatchObject({
      name: 'nereid',
      version,
      appVersion: version,
      home: 'https://github.com/Acme/nereid',
      sources: ['https://github.com/Acme/nereid'],
      icon: `https://raw.githubusercontent.com/Acme/nereid/v${version}/apps/chart/icon.svg`,
      annotations: {
        'artifacthub.io/license': 'Apache-2.0',
        'artifacthub.io/images': expect.stringContaining(`${registry}/nereid-worker@sha256:1`),
      },
    });
  });

  test('its values name the registry, and its README nothing of this repository that is not with it', async () => {
    const values = await runHelm(['show', 'values', chart, '--version', version, '--plain-http']);
    const readme = await runHelm(['show', 'readme', chart, '--version', version, '--plain-http']);

    expect(parse(values.stdout)).toMatchObject({ image: { registry } });
    expect(values.stdout).toContain('# The least level that is written.');
    expect(readme.stdout).toContain(`${chart} --version ${version} `);
    expect(readme.stdout).not.toMatch(/\]\((?!https:)/);
  });
});

describe('make release-publish', () => {
  test('puts the command line, the chart and their signatures on the page of the tag', async () => {
    const variables = { TAG: `v${version}`, REPOSITORY: 'Acme/nereid', REGISTRY: registry, DIGESTS };

    expect(await runner.make('release-publish', variables)).toMatchObject({ status: 0 });

    const calls = await runner.calls();
    const page = calls.find((call) => call.startsWith('gh '));
    expect(page).toMatch(
      new RegExp(`^gh release create v${version} --verify-tag --title v${version} --notes-file \\S+/notes.md `),
    );
    for (const name of FILES_OF_RELEASE.map((file) => file.replace('VERSION', version))) {
      expect(page).toContain(`/${name} `);
      expect(`${page} `).toContain(`/${name}.sigstore.json `);
      expect(calls).toContain(`cosign sign-blob --yes --bundle ${FILES}/${name}.sigstore.json ${FILES}/${name}`);
    }
    expect(calls.at(-1)).toBe(page);
  });
});

describe('make release-dry-run', () => {
  test('makes the same files, and signs and publishes none', async () => {
    const before = await runner.calls();

    const made = await runner.make('release-dry-run', {});

    expect(made).toMatchObject({ status: 0 });
    expect(await runner.calls()).toEqual(before);
    const files = FILES_OF_RELEASE.map((name) => name.replace('VERSION', version));
    expect(await readdir(FILES)).toEqual([...files, 'notes.md'].toSorted());
    expect(await readFile(path.join(FILES, 'notes.md'), 'utf8')).toMatch(/^### Adds and changes\n/);
    for (const file of files.filter((name) => name !== 'SHA256SUMS')) {
      const sha256 = createHash('sha256')
        .update(await readFile(path.join(FILES, file)))
        .digest('hex');
      expect(made.stdout).toContain(`sha256:${sha256}  dist/release/${file}\n`);
      expect(await readFile(path.join(FILES, 'SHA256SUMS'), 'utf8')).toContain(`${sha256}  ${file}\n`);
    }
  });
});

const FILES_OF_RELEASE = ['SHA256SUMS', 'nereid-VERSION.cdx.json', 'nereid-VERSION.tgz', 'nereid-chart-VERSION.tgz'];
