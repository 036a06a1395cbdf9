import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
const SOCKET = process.arch === 'arm64' ? 198 : 41;
const PERSONALITY = process.arch === 'arm64' ? 92 : 135;
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

  test.each([
    ['AX.25', 3],
    ['packets', 17],
    ['Bluetooth', 31],
    ['the kernel’s cryptography', 38],
    ['the machine below this one', 40],
    ['XDP', 44],
    ['a kind that nobody knows', 1_000],
    ['a kind that nobody can have', -1],
  ])('may make no socket of %s', async (_what, family) => {
    expect(await call(SOCKET, family, 3, 0)).toBe('Operation not permitted');
  });

  test.each([
    ['this machine', 1],
    ['the internet', 2],
    ['the internet’s version 6', 10],
  ])('may make a socket of %s', async (_what, family) => {
    // Where the machine lacks version 6, the kernel says so.
    expect(await call(SOCKET, family, 1, 0)).toMatch(/^done$|^Address family not supported/);
  });

  test('may make a socket that tells the routes of the network', async () => {
    expect(await call(SOCKET, 16, 3, 0)).toBe('done');
  });

  test.each([
    ['memory that can be run wherever it can be read', 0x40_0000],
    ['addresses that can be known before', 0x4_0000],
    ['the calls of another system', 6],
  ])('may not have %s', async (_what, persona) => {
    expect(await call(PERSONALITY, persona)).toBe('Operation not permitted');
  });

  test.each([0, 8, 0x2_0000, 0x2_0008, -1])('may have or ask for the personality %d', async (persona) => {
    expect(await call(PERSONALITY, persona)).toBe('done');
  });

  test('may reach a server of this machine by its name, and run git', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const program = `import urllib.request; print(urllib.request.urlopen("http://localhost:${port}/").read().decode())`;
    const script = `/usr/bin/python3 -c '${program}' && git --version`;
    const env = { PATH: '/usr/bin:/bin' };

    const ended = await runCommand({ argv: ['/bin/sh', '-c', script], env, cwd: '/', sandbox: aSandbox() });
    server.close();

    expect(ended).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(ended.stdout).toMatch(/^reached\ngit version /);
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
