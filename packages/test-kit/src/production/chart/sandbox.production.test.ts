/** What a host's pod is given is what its sandboxes need, and nothing of it can be left away. */
import { expect, test } from '@jest/globals';
import { findProgram } from '@nereid/subprocess';
import { EXAMPLE_FILES } from './chart-files.ts';
import { podsOf, render } from './render.ts';
import { runInPod, type PodSecurity } from './run-in-pod.ts';

const [MINIMAL = ''] = EXAMPLE_FILES;

/** Makes the sandbox of a worker, and prints why it could not. */
const MAKES_SANDBOX = `
  import { systemFiles, whyNoSandbox } from '@nereid/subprocess';
  const sandbox = { bubblewrap: '/run/bwrap', files: systemFiles(), network: 'host' };
  process.stdout.write((await whyNoSandbox(sandbox)) ?? 'made');`;

test('a host can make sandboxes in its pod', async () => {
  const [host] = (await render([MINIMAL]))
    .filter(({ metadata }) => metadata.name === 'nereid-host-default')
    .flatMap(podsOf);
  expect(host).toMatchObject({
    hostUsers: false,
    securityContext: {
      runAsUser: 1000,
      seccompProfile: { type: 'Localhost', localhostProfile: 'nereid/worker-seccomp.json' },
    },
    containers: [
      { securityContext: { procMount: 'Unmasked', allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
    ],
  });

  expect(await made({ hostUsers: false, procMount: 'Unmasked', seccomp: 'worker-seccomp.json' })).toBe('made');
});

test.each<[string, PodSecurity, RegExp]>([
  [
    'with the masks of /proc',
    { hostUsers: false, procMount: 'Default', seccomp: 'worker-seccomp.json' },
    /Can't mount proc/,
  ],
  [
    'with the seccomp profile of the runtime',
    { hostUsers: false, procMount: 'Unmasked', seccomp: 'RuntimeDefault' },
    /No permissions to create new namespace/,
  ],
])('a sandbox cannot be made %s', async (_what, pod, words) => {
  expect(await made(pod)).toMatch(words);
});

test.each(['mount', 'pivot_root', 'umount2', 'unshare'])(
  'it cannot without permission for %s, which runtimes give no other container',
  async (without) => {
    expect(await made({ hostUsers: false, procMount: 'Unmasked', seccomp: { without } })).not.toBe('made');
  },
);

async function made(pod: PodSecurity): Promise<string> {
  const bubblewrap = findProgram({ argv: ['bwrap'], env: { PATH: process.env['PATH'] ?? '' }, cwd: '/' });
  if (bubblewrap.kind === 'not-startable') throw new Error(bubblewrap.why);
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', MAKES_SANDBOX];
  const { stdout, stderr } = await runInPod(process.env, pod, { args, bubblewrap: bubblewrap.program });
  return stdout || stderr;
}
