/** Logs, as they grow. */
import { DEFAULT_POOL } from '@nereid/domain/root';
import { describe, expect, test } from '@jest/globals';
import { aConsole, JOB, REPOSITORY, RUNNING } from '@nereid/console/testing';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { nereid, nereidInside, startNereid } from './testing/run.ts';

const LANE = 'acme/infra/network';
type Console = Awaited<ReturnType<typeof aConsole>>;

function aWriter({ logs }: Console) {
  const writer = logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
  return { write: (text: string) => writer.write(Buffer.from(text)), end: () => writer.end() };
}

describe('a log', () => {
  test('is printed whole, without commands to the terminal', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog('\u001b[31mError\u001b[0m\n\u001b]0;title\u0007\u202etwo\nthree');

    expect(await nereid(['logs', LANE], { console })).toEqual({
      status: 0,
      stdout: 'Error\n�two\nthree\n',
      stderr: '',
    });
  });

  test('is lines of JSON for programs', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog('one\n"two"\n');

    expect((await nereidInside(['logs', LANE, 'plan', '--json'], { console })).stdout).toBe(
      '{"line":"one"}\n{"line":"\\"two\\""}\n',
    );
  });

  test('that was never begun is not found', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: aDeployment({ status: 'queued' }) } });

    expect(await nereidInside(['logs', LANE, 'apply'], { console })).toMatchObject({ status: 3, stdout: '' });
    expect(await nereidInside(['logs', LANE], { console })).toMatchObject({
      status: 3,
      stderr: 'there is no log yet: the deployment is queued\n',
    });
  });
});

describe('a log that is followed', () => {
  test('has its colours on a terminal alone', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog('\u001b[1m\u001b[31mError\u001b[0m plain\n');
    const args = ['logs', '-f', LANE, 'plan'];

    const coloured = await nereidInside(args, { console, terminal: { columns: 80 } });
    const plain = await nereidInside(args, { console });

    expect(coloured.stdout).toBe('\u001b[1;31mError\u001b[0m plain\n');
    expect(plain.stdout).toBe('Error plain\n');
  });

  test('goes on behind what was printed when the console starts again in the middle', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const log = aWriter(console);
    await log.write('one\ntwo\n');

    const nereid = startNereid(['logs', '--follow', LANE, 'plan'], { console });
    await nereid.prints(/two/);
    await console.close();
    await log.write('three\n');
    await nereid.prints(/the log was interrupted.*; trying again/);
    await console.close();
    await console.another('instead');
    await nereid.prints(/three/);
    await log.write('four\n');
    await log.end();
    const { status, stdout } = await nereid.ended;

    expect([status, stdout]).toEqual([0, 'one\ntwo\nthree\nfour\n']);
  });

  test('is printed whole, however long it is, and however far behind a connection that is made again', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const log = aWriter(console);
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `line ${from + index} ${'x'.repeat(200)}\n`).join('');
    const [before, meanwhile] = [lines(0, 15_000), lines(15_000, 30_000)];
    await log.write(before);

    const nereid = startNereid(['logs', '--follow', LANE, 'plan'], { console });
    await nereid.prints(/line 14999 x+\n/);
    await console.close();
    await log.write(meanwhile);
    await log.end();
    await console.another('instead');
    const { status, stdout } = await nereid.ended;

    expect([before, meanwhile].map(({ length }) => length > 3_000_000)).toEqual([true, true]);
    expect([status, stdout === before + meanwhile]).toEqual([0, true]);
  });

  test('goes from the plan to the apply, until the deployment has ended', async () => {
    const apply = { ...JOB, id: '6b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90' };
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog('planned\n');

    const nereid = startNereid(['logs', '-f', LANE], { console });
    await nereid.prints(/planned/);
    const deployment = aDeployment({ status: 'succeeded', plan: aPlan(), jobs: { plan: JOB, apply } });
    const writer = console.logs.of(DEFAULT_POOL).writer(apply.id, { mask: [], onError: () => undefined });
    await writer.write(Buffer.from('applied\n'));
    await writer.end();
    await console.records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });
    await console.becomes({});
    const { status, stdout, stderr } = await nereid.ended;

    expect([status, stdout]).toEqual([0, 'planned\napplied\n']);
    expect(stderr).toContain(`${LANE}: succeeded\n`);
  });

  test('begins near its end with --tail', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog(Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join(''));

    const { stdout, stderr } = await nereidInside(['logs', '-f', LANE, 'plan', '--tail'], { console });

    expect(stdout).toMatch(/^line \d+\n/);
    expect(stdout).not.toContain('line 1\n');
    expect(stdout).toMatch(/line 39999\n$/);
    expect(stderr).toMatch(/^… \d+ bytes before\n$/);
  });

  test('is events of JSON for programs, each with the place behind it', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    await console.writeLog('one\n');

    const { stdout } = await nereidInside(['logs', '-f', LANE, 'plan', '--json'], { console });

    expect(stdout).toBe(
      '{"job":"plan","event":"output","offset":4,"segments":[["one\\n",""]]}\n{"job":"plan","event":"ended","lostBytes":0}\n',
    );
  });

  test('ends quietly with Ctrl-C', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const log = aWriter(console);
    await log.write('one\n');

    const nereid = startNereid(['logs', '-f', LANE, 'plan'], { console });
    await nereid.prints(/one/);
    nereid.kill('SIGINT');
    const { status, stdout, stderr } = await nereid.ended;
    await log.end();

    expect([status, stdout, stderr]).toEqual([130, 'one\n', '']);
  });
});
