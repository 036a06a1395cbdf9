/** Everything that code of a root tries in a real stack in order to reach what is not its own, and the program that tries it. */

import path from 'node:path';

/** A thief's knowledge: everything but the secrets themselves. */
export interface Knowledge {
  /** The folder of everything that the stack keeps. */
  readonly top: string;
  /** The folder of the sources that the processes run. */
  readonly sources: string;
  /** The deployment of another root, which is being applied. */
  readonly other: string;
  /** Of the listeners that code of a root does not need. */
  readonly temporalPort: number;
  readonly metricsUrl: string;
  readonly consoleUrl: string;
}

/**
 * Each name goes on after "it can …". Expressions of Python, which are true if the attempt succeeded, with the names of `TOOLS`.
 * A file counts as changed when it can be opened for that.
 */
export const WAYS: Readonly<Record<string, string>> = {
  'read the keys': `take(TOP + '/secrets/*')`,
  'read the keys through a link': `os.symlink(TOP + '/secrets', 'linked') or take('linked/*')`,
  'read a key through another name': `os.link(TOP + '/secrets/pool-key.pem', 'named') or take('named')`,
  'read the keys by the root of another process': `take(*of('root' + TOP + '/secrets/*'))`,
  'read the keys by the folder of another process': `take(*of('cwd/secrets/*'))`,
  'read a key by a link of the repository': `take('key')`,
  'read the environments of the processes': `take(*of('environ'))`,
  'read the environment of another root': `took(*[name for name in glob.glob('/proc/[0-9]*/environ') if b'TF_VAR_password=' in read(name)])`,
  'read the environment of its supervisor': `took(*[name for name in glob.glob('/proc/[0-9]*/environ') if b'.process' in read(os.path.dirname(name) + '/cmdline') and b'TF_' in read(name)])`,
  'see the command lines of others': `take(*of('cmdline'))`,
  'read the files that others have open': `opened(*of('fd/*'))`,
  'read the memory of others': `some(stack_of)`,
  'trace others': `some(lambda pid: LIBC.ptrace(SEIZE, pid, 0, 0) == 0)`,
  'signal others': `some(lambda pid: os.kill(pid, 0) is None)`,
  'set limits of others': `some(lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE))`,
  'go before others': `some(lambda pid: os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid)) is None)`,
  'read the file of the server': `take(TOP + '/nereid.server.yaml')`,
  'change the file of the server': `changed(TOP + '/nereid.server.yaml')`,
  'read the database of Temporal': `opened(TOP + '/temporal.db')`,
  'change the database of Temporal': `changed(TOP + '/temporal.db')`,
  'read the storage': `opened(TOP + '/storage/**')`,
  'change the records': `changed(TOP + '/storage/**/*.json')`,
  'change the audit trail': `changed(TOP + '/storage/audit.jsonl')`,
  'take away that an apply has begun': `writable(TOP + '/storage/begun')`,
  'read the tree of another root': `take(OTHERS_WORK + '/repo/**')`,
  'change the tree of another root': `changed(OTHERS_WORK + '/repo/**/main.tf')`,
  'read the plan of another root': `opened(OTHERS_WORK + '/plan')`,
  'change the plan of another root': `changed(OTHERS_WORK + '/plan')`,
  'read the output of another root': `opened(OTHERS_WORK + '/jobs/*/*.output')`,
  'see the files of its own supervision': `opened(*own('.process'))`,
  'write its own exit code': `writable(*[os.path.dirname(name) for name in own('.process')])`,
  'write over its own output': `changed(*own('.output'))`,
  'overwrite the output of its parent process': `any(rewrites(pid) for pid in ancestors())`,
  'read the data of the host': `opened(TOP + '/data-2/**')`,
  'change the data of the host, such as its cache of providers': `writable(TOP + '/data-2')`,
  'read the mirrors': `opened(TOP + '/data-2/mirrors/**')`,
  'read a mirror with git': `ran('git', '--git-dir', TOP + '/data-2/mirrors/acme/vault.git', 'log', '--all', '--patch')`,
  'change the settings of the mirrors': `changed(TOP + '/data-2/mirrors/acme/*.git/config')`,
  'give the mirrors a hook': `writable(TOP + '/data-2/mirrors/acme/*.git')`,
  'change the link to its mirror': `changed('../.git')`,
  'change the settings of git': `changed(TOP + '/home/.gitconfig')`,
  'change the settings of Terraform': `changed(TOP + '/home/.terraformrc')`,
  'change the program Terraform': `writable(shutil.which('terraform'))`,
  'change the sources of the processes': `changed(SOURCES + '/apps/worker/src/main.ts')`,
  'change what the processes keep of compiled sources': `writable(SOURCES + '/node_modules/.cache/compiled')`,
  'read the logs of the processes': `opened(TOP + '/logs/*')`,
  'read shared memory': `take('/dev/shm/' + os.path.basename(TOP))`,
  'make a device': `os.mknod('device', 0o600 | stat.S_IFCHR, os.makedev(1, 5)) or opened_device('device')`,
  'leave a core file': `core_of(b''.join(LOOT))`,
  'reach Temporal': `socket.create_connection(('127.0.0.1', TEMPORAL_PORT), 60)`,
  'reach the metrics': `fetched(METRICS_URL)`,
  'read about another deployment from the console': `fetched(CONSOLE_URL + '/api/v1/deployments/' + OTHER)`,
};

/** The documentation says so, and what to do about it: by `terraform.network`, or by a rule of the operator's network. */
export const OF_THE_NETWORK: readonly string[] = [
  'reach Temporal',
  'reach the metrics',
  'read about another deployment from the console',
];

const TOOLS = `
import base64, ctypes, glob, os, re, resource, shutil, socket, stat, subprocess, sys, urllib.parse, urllib.request

LIBC = ctypes.CDLL(None)
SEIZE = 0x4206
PAGE = 100_000
LOOT = []

def read(name):
    try:
        with open(name, 'rb') as file: return file.read(PAGE)
    except OSError: return b''

def files(patterns):
    return [name for pattern in patterns for name in glob.glob(pattern, recursive=True) if os.path.isfile(name)]

# Keeps what it reads.
def take(*patterns): return took(*files(patterns))

def took(*names):
    found = b'\\n'.join(read(name) for name in names)
    LOOT.append(found)
    return found.strip()

def opened(*patterns): return any(read(name) for name in files(patterns))

def changed(*patterns):
    for name in files(patterns):
        try:
            open(name, 'ab').close()
            return True
        except OSError: pass

def writable(*patterns): return any(os.access(name, os.W_OK) for pattern in patterns for name in glob.glob(pattern))

# The processes of the stack.
def others(): return [int(name.split('/')[2]) for name in glob.glob('/proc/[0-9]*/environ') if b'NEREID_CONFIG=' + TOP.encode() in read(name)]

# Whether it succeeds with one of them; others may end meanwhile.
def some(attempt):
    for pid in others():
        try:
            if attempt(pid): return True
        except OSError: pass

def of(what): return ['/proc/%d/%s' % (pid, what) for pid in others()]

# The files of this job's commands, beside its tree.
def own(suffix): return glob.glob(os.path.realpath('../..') + '/jobs/*/*' + suffix)

# What started this process, and what started that.
def ancestors():
    pid = os.getppid()
    while pid > 0:
        yield pid
        pid = int(read('/proc/%d/stat' % pid).rsplit(b')', 1)[1].split()[1])

# Whether its output is a file that can be written anywhere.
def rewrites(pid):
    output = os.open('/proc/%d/fd/1' % pid, os.O_WRONLY)
    return stat.S_ISREG(os.fstat(output).st_mode) and os.pwrite(output, b'', 0) == 0

def stack_of(pid):
    for line in read('/proc/%d/maps' % pid).decode().splitlines():
        if line.endswith('[stack]'):
            start, end = (int(at, 16) for at in line.split()[0].split('-'))
            with open('/proc/%d/mem' % pid, 'rb') as memory:
                memory.seek(start)
                LOOT.append(memory.read(end - start).strip(b'\\0'))
            return True

def ran(*argv):
    done = subprocess.run(argv, capture_output=True)
    LOOT.append(done.stdout)
    return done.returncode == 0

def opened_device(name):
    with open(name, 'rb') as device: return device.read(1)

def core_of(secret):
    crash = 'ulimit -c unlimited; kill -SEGV $$'
    subprocess.run(['/bin/sh', '-c', crash], env={'LOOT': base64.b64encode(secret).decode()[:PAGE]})
    return glob.glob('core*')

def fetched(url):
    LOOT.append(urllib.request.urlopen(url, timeout=60).read())
    return True

def clean():
    for name in ('linked', 'named', 'device'):
        if os.path.lexists(name): os.remove(name)
`;

/** Prints what was found so that no search for the text itself finds it all, and shows it as an argument of a process. */
const END = `
found = b'\\n'.join(dict.fromkeys(LOOT))
print(found.decode('latin1').replace('\\0', '\\n'))
print(base64.b64encode(found).decode())
print(found.hex())
print(urllib.parse.quote(found))
print(found.decode('latin1').replace('\\0', '\\n')[::-1])
shown = base64.b64encode(found).decode()[:PAGE]
wait = 'echo shown >> "$0/shown"; until [ -e "$0/looked" ] || [ ! -e "$0" ]; do sleep 0.1; done'
subprocess.run(['/bin/sh', '-c', wait, STATE, shown])
# In the end what has room on a check run.
for line in re.split(b'[\\0\\n]', found):
    if b'SECRET' in line and len(line) < 200: print(line.decode('latin1')[::-1])
`;

/** A program of Python that goes all ways. Prints `DONE` and the name of each that succeeded, and everything that it found. */
export function thiefProgram(known: Knowledge): string {
  const constants = {
    TOP: known.top,
    STATE: `${known.top}/state`,
    SOURCES: known.sources,
    OTHER: known.other,
    OTHERS_WORK: path.join(known.top, 'work', known.other),
    TEMPORAL_PORT: known.temporalPort,
    METRICS_URL: known.metricsUrl,
    CONSOLE_URL: known.consoleUrl,
  };
  const attempts = Object.entries(WAYS).map(
    ([name, condition]) => `try:
    if ${condition}: print(${JSON.stringify(`DONE ${name}`)})
except Exception: pass
clean()`,
  );
  return [
    TOOLS,
    ...Object.entries(constants).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...attempts,
    END,
  ].join('\n');
}
