import { expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import path from 'node:path';
import { findPythonPackages } from '../toolchain/python-packages.ts';
import { parseDockerfile } from './dockerfile.ts';
import { DOCKERFILE } from './images/image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';

/** On a fresh machine the linter is installed first. */
const INSTALLS_WITHIN_MS = 600_000;

test(
  'the linter finds nothing',
  async () => {
    const requirements = path.join(import.meta.dirname, 'requirements.txt');
    const report = () => undefined;
    const bin = await findPythonPackages({ name: 'hadolint', requirements, env: process.env, report });

    const result = await runCommand({ argv: [path.join(bin, 'hadolint'), DOCKERFILE], env: {}, cwd: REPOSITORY });

    expect(result).toMatchObject({ kind: 'exited', exitCode: 0, stdout: '' });
  },
  INSTALLS_WITHIN_MS,
);

test.each(['gateway', 'worker', 'console'])('the image of the %s runs as somebody who is not root', async (target) => {
  const stage = parseDockerfile(await readRepositoryFile(DOCKERFILE)).get(target);

  expect(stage?.instructions.filter(({ verb }) => verb === 'USER')).toEqual([{ verb: 'USER', rest: '1000:1000' }]);
});

test.each(['gateway', 'worker', 'console'])('the image of the %s can be asked whether it is ready', async (target) => {
  const stage = parseDockerfile(await readRepositoryFile(DOCKERFILE)).get(target);

  const [port] =
    stage?.instructions.flatMap(({ verb, rest }) =>
      verb === 'ENV' ? (/_ADDRESS=.*:(\d+)$/.exec(rest)?.[1] ?? []) : [],
    ) ?? [];
  const check = stage?.instructions.find(({ verb }) => verb === 'HEALTHCHECK');
  // Only the worker listens where its settings have it by default.
  expect(check?.rest).toContain(`fetch('http://127.0.0.1:${port ?? '4142'}/readyz')`);
});

test('every image that ours begin from is named by version and digest', async () => {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));

  const bases = [...stages.values()].map(({ from }) => from).filter((from) => !stages.has(from));
  for (const image of bases) expect(image).toMatch(/:\d+\.\d+[^@]*@sha256:[0-9a-f]{64}$/);
});

test('the image that starts processes begins with one that outlives the worker, and that the image holds', async () => {
  const worker = parseDockerfile(await readRepositoryFile(DOCKERFILE)).get('worker');

  const init = 'apps/worker/src/container/init.sh';

  expect(worker?.instructions).toContainEqual({ verb: 'ENTRYPOINT', rest: `["/bin/sh", "/app/${init}"]` });
  expect(worker?.copies.flatMap(({ sources }) => sources)).toContain('apps/worker');
  expect(await readRepositoryFile(init)).toContain('\nmain "$@"\n');
});

test('what is installed in an image stands in NOTICE', async () => {
  const worker = parseDockerfile(await readRepositoryFile(DOCKERFILE)).get('worker');
  const notice = await readRepositoryFile('NOTICE');

  const installed = worker?.instructions.flatMap(({ rest }) => /--no-install-recommends ([^&]*)/.exec(rest)?.[1] ?? []);
  const names = installed?.flatMap((packages) => packages.trim().split(/\s+/)) ?? [];
  expect(names).toContain('git');
  for (const name of names) expect(notice).toMatch(new RegExp(`^  ${name} `, 'm'));
});
