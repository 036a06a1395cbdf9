import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parseProcessStat } from './process-stat.ts';

test('a process is read past a name with spaces and parentheses', () => {
  const stat = '42 (a) b (c) S 1 41 40 0 -1 4194304 9 0 0 0 1 2 0 0 20 0 3 0 7001 0 0';

  expect(parseProcessStat(stat)).toEqual({ processGroup: 41, start: '7001', isZombie: false });
});

test('a process whose first thread has ended is no zombie while another one runs', async () => {
  const lines = [
    'import ctypes, threading, time',
    'threading.Thread(target=time.sleep, args=(600,)).start()',
    'ctypes.CDLL(None).pthread_exit(None)',
  ];
  const python = spawn('python3', ['-c', lines.join('\n')]);
  const stat = () => readFile(`/proc/${python.pid}/stat`, 'utf8');
  while (!(await stat()).includes(') Z '));

  expect(parseProcessStat(await stat()).isZombie).toBe(false);

  python.kill('SIGKILL');
  await once(python, 'exit');
});

test('a process that has ended is a zombie until its parent collects it', async () => {
  // By then, the shell that would collect it has become a sleep, which never does.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 600']);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const stat = () => readFile(`/proc/${Number(line)}/stat`, 'utf8');
  while (!(await stat()).includes(') Z '));

  expect(parseProcessStat(await stat()).isZombie).toBe(true);

  parent.kill('SIGKILL');
  await once(parent, 'exit');
});
