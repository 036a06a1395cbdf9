/** Everything that code of a root may try in order to reach what is not its own. */

/** Stands for everything that belongs to others. */
export const CANARY = 'canary-5f3a9c';

/** Finds the canary, and is none. */
const PATTERN = CANARY.replace('y', '[y]');

const python = (program: string) => `python3 -c "${program}"`;

/** Calls a function of the C library, which returns 0 when it succeeds. */
const c = (call: string) => python(`import ctypes; assert ctypes.CDLL(None).${call} == 0`);

/** Unshares namespaces in which no user is mapped, then calls the function in a child, which is in all of them. */
const unmapped = (namespaces: number, call: string) =>
  python(`import ctypes, os
libc = ctypes.CDLL(None)
assert libc.unshare(${namespaces}) == 0
if os.fork() == 0: os._exit(0 if libc.${call} == 0 and os.access(os.environ['CHANGED'], os.W_OK) else 1)
assert os.wait()[1] == 0`);

const CLONE_NEWNS = 0x20000;
const CLONE_NEWUSER = 0x10000000;
const CLONE_NEWPID = 0x20000000;
const MS_REMOUNT_BIND = 0x1020;

/**
 * What code of a root can try: each name goes on after "it can …". Shell conditions, with `$FOREIGN`, a folder that no root owns,
 * `$TOP`, the folder of everything that belongs to the host, `$MIRROR`, the mirror in it, `$OTHER`, a process of the worker's
 * user, `$WORKER`, the worker, and `$MEMORY`, memory that processes of others share.
 */
export const ATTEMPTS: Readonly<Record<string, string>> = {
  'read a key': `grep ${PATTERN} "$FOREIGN/key"`,
  'read a key through a link': `ln -s "$FOREIGN/key" link && grep ${PATTERN} link`,
  'read a key through another name': `ln "$FOREIGN/key" name && grep ${PATTERN} name`,
  'read a key by the root of another process': `grep ${PATTERN} /proc/$OTHER/root$FOREIGN/key`,
  // Where another process or folder ends meanwhile, the first grep fails, whatever it found.
  'read a key by the root of any process': `grep ${PATTERN} /proc/[0-9]*/root$FOREIGN/key | grep .`,
  'read a key by the folder of another process': `grep ${PATTERN} /proc/$OTHER/cwd/key`,
  'read a key by a descriptor of another process': `grep ${PATTERN} /proc/$OTHER/fd/1`,
  'read a key in a mount of its own': `unshare -Urm sh -c 'mkdir bound; mount --bind "$FOREIGN" bound && grep ${PATTERN} bound/key'`,
  'change a key': 'echo changed >> "$FOREIGN/changed"',
  'read a temporary file': `grep ${PATTERN} "$FOREIGN"/../*/key | grep .`,
  'read shared memory': `grep ${PATTERN} /dev/shm/ca*`,
  'read shared memory of System V': 'ipcs -m -i "$MEMORY" | grep bytes',
  'read the passwords of the machine': 'grep root /etc/shadow',
  'read the home of the user': '[ "$(ls -A "$(getent passwd "$(id -u)" | cut -d: -f6)")" ]',
  'see what runs on the machine': '[ "$(ls /run)" ]',
  'read the code of the worker': `ls ${import.meta.dirname}`,
  'read the storage': '[ "$(ls "$TOP/storage")" ]',
  'change the storage': '[ -w "$TOP/storage" ]',
  'read the data of the host': '[ "$(ls "$TOP/h1")" ]',
  'change the cache of providers': '[ -d "$TOP/h1" ] && mkdir -p "$TOP/h1/providers/changed"',
  'read the mirror': '[ "$(ls "$MIRROR")" ]',
  'read the mirror with git': 'git rev-parse HEAD',
  'change the settings of the mirror': 'git config nereid.canary changed',
  'give the mirror a hook': '[ -d "$MIRROR" ] && mkdir -p "$MIRROR/hooks" && touch "$MIRROR/hooks/post-checkout"',
  'change the link to the mirror': 'cp .git copy && echo "# changed" >> .git && cp copy .git',
  'see the trees of others': '[ "$(ls "$TOP/work" | wc -l)" -gt 1 ]',
  'change the trees of others': '[ "$(find "$TOP/work" -name main.tf -writable | wc -l)" -gt 1 ]',
  'see the files of its own supervision': 'ls "$TOP/work/"*/jobs/*/*.process',
  'write its own exit code': 'for file in "$TOP/work/"*/jobs/*/*.process; do [ -w "$file" ] || exit 1; done',
  'change the program': '[ -w "$(command -v terraform)" ]',
  'change what it may only read, in a mount of its own': `unshare -Urm sh -c 'mount -o remount,bind,rw / && touch /${CANARY} && rm /${CANARY}'`,
  'change what it may only read, in a mount of its own, without users': `CHANGED=/ ${unmapped(CLONE_NEWUSER + CLONE_NEWNS, `mount(None, b'/', None, ${MS_REMOUNT_BIND}, None)`)}`,
  'see other processes': 'ps -e -o args | grep -v grep | grep "sleep 4242"',
  'read the environment of others': `cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -v COMMAND | grep "^SECRET=${PATTERN}"`,
  'read the environment of the worker': 'grep -q . /proc/$WORKER/environ',
  'read the memory map of others': 'cat /proc/$OTHER/maps',
  'write the memory of others': python(`open('/proc/$OTHER/mem', 'r+b')`),
  'trace others': `${c('ptrace(0x4206, $OTHER, 0, 0)')} && [ $OTHER -gt 2 ]`,
  'trace what started it': c('ptrace(0x4206, $PPID, 0, 0)'),
  'write the memory of what started it': c('process_vm_writev($PPID, None, 0, None, 0, 0)'),
  'write over its output': python('import os; os.pwrite(1, bytes(), 0)'),
  'overwrite the output of its parent process': python(
    `import os; os.pwrite(os.open('/proc/$PPID/fd/1', os.O_WRONLY), bytes(), 0)`,
  ),
  'signal others': 'kill -0 $OTHER',
  'set limits of others': 'prlimit --pid $OTHER --nofile=64:64',
  'speak to a socket': python(`import socket; socket.socket(socket.AF_UNIX).connect('$FOREIGN/socket')`),
  'speak to a socket without a file': python(`import socket; socket.socket(socket.AF_UNIX).connect('\\0$FOREIGN')`),
  'reach a port of this machine': python(`import socket; socket.create_connection(('127.0.0.1', $PORT))`),
  'listen to the network': python('import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'),
  'give a file to another user': 'touch given && chown 65534 given',
  'become another user': 'setpriv --reuid 65534 --clear-groups true',
  'mount a file system': 'mkdir -p mounted && mount -t tmpfs none mounted && umount mounted',
  'tell the kernel what to run': '[ -w /proc/sys/kernel/core_pattern ]',
  'tell the kernel what to run, by a /proc of its own': `unshare -Urmpf sh -c 'mkdir -p own; mount -t proc proc own && [ -w own/sys/kernel/core_pattern ]'`,
  'tell the kernel what to run, by a /proc of its own, without users': `mkdir -p unmapped && CHANGED=unmapped/sys/kernel/core_pattern ${unmapped(CLONE_NEWUSER + CLONE_NEWNS + CLONE_NEWPID, "mount(b'proc', b'unmapped', b'proc', 0, None)")}`,
  'start processes without end': python(
    'import resource as r; n = r.getrlimit(r.RLIMIT_NPROC)[1]; assert n < 0 or n > 4096',
  ),
  'fill the disk with a file': 'truncate -s 1T large && rm large',
  'leave a core file': 'ulimit -c unlimited',
  'go before others': 'renice -n -5 $$',
};
