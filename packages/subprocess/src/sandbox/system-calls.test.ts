import { describe, expect, test } from '@jest/globals';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { runCommand } from '../run-command.ts';

/** With the numbers that they have here. */
const REFUSED: readonly (readonly [name: string, x64: number, arm64: number])[] = [
  ['add_key', 248, 217],
  ['bpf', 321, 280],
  ['chroot', 161, 51],
  ['io_uring_setup', 425, 425],
  ['keyctl', 250, 219],
  ['mount', 165, 40],
  ['open_by_handle_at', 304, 265],
  ['open_tree', 428, 428],
  ['perf_event_open', 298, 241],
  ['pidfd_getfd', 438, 438],
  ['pivot_root', 155, 41],
  ['process_vm_writev', 311, 271],
  ['ptrace', 101, 117],
  ['setns', 308, 268],
  ['umount2', 166, 39],
  ['unshare', 272, 97],
  ['userfaultfd', 323, 282],
];

const CLONE = process.arch === 'arm64' ? 220 : 56;
const GETPPID = process.arch === 'arm64' ? 173 : 110;

/** What the kernel says to a command in a sandbox that makes this call. */
async function call(number: number, ...args: readonly number[]): Promise<string> {
  const program = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
done = libc.syscall(${[number, ...args].join(', ')})
print('done' if done >= 0 else os.strerror(ctypes.get_errno()))`;
  const argv = ['/usr/bin/python3', '-c', program] as const;
  const ended = await runCommand({ argv, env: { PATH: '/usr/bin:/bin' }, cwd: '/', sandbox: aSandbox() });
  return ended.stdout.trim();
}

describe('in a sandbox, a command', () => {
  test.each(REFUSED)('may not call %s', async (_name, x64, arm64) => {
    // Arguments with which the kernel itself would say something else.
    expect(await call(process.arch === 'arm64' ? arm64 : x64, 0, 0, 0, 0)).toBe('Operation not permitted');
  });

  test.each([
    ['users', 0x1000_0000],
    ['files', 0x2_0000],
    ['processes', 0x2000_0000],
    ['the network', 0x4000_0000],
  ])('may not clone itself into a namespace of %s', async (_what, flag) => {
    expect(await call(CLONE, flag + 17, 0, 0, 0, 0)).toBe('Operation not permitted');
  });

  test.each([
    ['clone3, whose flags no filter can read', 435],
    ['one that is newer than this list', 9_999],
  ])('is told that a call does not exist: %s', async (_what, number) => {
    expect(await call(number, 0, 0)).toBe('Function not implemented');
  });

  test('may make every other call, and have processes and threads', async () => {
    expect(await call(GETPPID)).toBe('done');
    const program =
      'import os, threading; t = threading.Thread(target=lambda: print("thread", flush=True)); t.start(); t.join(); os.system("echo process")';
    const argv = ['/usr/bin/python3', '-c', program] as const;
    const ended = await runCommand({ argv, env: { PATH: '/usr/bin:/bin' }, cwd: '/', sandbox: aSandbox() });

    expect(ended).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'thread\nprocess\n' });
  });
});
