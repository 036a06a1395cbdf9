import { describe, expect, test } from '@jest/globals';
import { readSeccompProfile } from './seccomp-profile.ts';

const { defaultAction, syscalls } = await readSeccompProfile();
const allowed = syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW');

/** What runtimes of containers allow a process without capabilities never, or only with conditions that they do not pass on. */
const REFUSED = `
  acct add_key bpf chroot clock_settime delete_module fanotify_init finit_module fsconfig fsmount fsopen fspick
  init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl mbind
  mount_setattr move_mount move_pages open_by_handle_at open_tree perf_event_open pidfd_getfd process_madvise process_vm_readv
  process_vm_writev ptrace quotactl reboot request_key set_mempolicy setdomainname sethostname setns settimeofday socketcall
  swapoff swapon syslog umount uselib userfaultfd vhangup`
  .trim()
  .split(/\s+/);

describe("the profile of system calls of a worker's container", () => {
  test('refuses every call that it does not name', () => {
    expect(defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(new Set(syscalls.map(({ action }) => action))).toEqual(new Set(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']));
  });

  test.each(REFUSED)('does not name %s', (name) => {
    expect(allowed.flatMap(({ names }) => names)).not.toContain(name);
  });

  test('allows sockets of this machine, of the internet and to the kernel’s routes only', () => {
    const sockets = allowed.filter(({ names }) => names.includes('socket'));

    expect(sockets.map(({ names, args }) => ({ names, args }))).toEqual([
      { names: ['socket'], args: [{ index: 0, value: 3, op: 'SCMP_CMP_LT' }] },
      { names: ['socket'], args: [{ index: 0, value: 10, op: 'SCMP_CMP_EQ' }] },
      { names: ['socket'], args: [{ index: 0, value: 16, op: 'SCMP_CMP_EQ' }] },
    ]);
  });

  test('has no conditions of Docker, which other runtimes pass over', () => {
    for (const rule of syscalls)
      expect(['action', 'args', 'comment', 'errnoRet', 'names']).toEqual(expect.arrayContaining(Object.keys(rule)));
  });
});
