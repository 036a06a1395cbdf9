import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PlanText } from '@nereid/domain/plan';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder, collect } from '../testing.ts';
import { createJobLogs } from './job-logs.ts';
import { planTextDigest } from './plan-texts.ts';

const text: PlanText = { text: '  # aws_x.a will be created €', leftOut: 3, isShortened: true };
const digest = planTextDigest(text);

let store: ObjectStore;

beforeEach(async () => {
  store = createFileStore(await aFolder());
});

describe('the text of a plan', () => {
  test('is read by job and digest', async () => {
    const { planTexts } = createJobLogs(store).of('default');
    await planTexts.write('job', text);

    expect(await planTexts.read('job', digest)).toMatchObject(text);
    expect(digest).toMatch(/^[\da-f]{64}$/);
  });

  test('that anybody changed is not read', async () => {
    const { planTexts } = createJobLogs(store).of('default');
    await planTexts.write('job', { ...text, text: '  # aws_x.a will be destroyed' });

    expect(await planTexts.read('job', digest)).toBeUndefined();
  });

  test('that was never stored, or belongs to another job, is not read', async () => {
    const { planTexts } = createJobLogs(store).of('default');
    await planTexts.write('other', text);

    expect(await planTexts.read('job', digest)).toBeUndefined();
  });

  test('is beside the log of its job, and no part of it', async () => {
    const logs = createJobLogs(store).of('default');
    const writer = logs.writer('job', { mask: [], onError: () => undefined });
    await writer.write(Buffer.from('the log'));
    await logs.planTexts.write('job', text);
    await writer.end();

    expect(await collect(store.list('logs/default/job/'))).toContain('logs/default/job/plan-text.json');
    expect(await logs.reader('job').size()).toEqual({ bytes: 7, isComplete: true });
    expect(Buffer.from((await logs.reader('job').read(0, 1_000)).bytes).toString()).toBe('the log');
  });

  test('has another one with more room beside it', async () => {
    const logs = createJobLogs(store).of('default');
    const whole = { ...text, leftOut: 0, isShortened: false };
    await logs.planTexts.write('job', text);
    await logs.wholePlanTexts.write('job', whole);

    expect(await logs.planTexts.read('job', digest)).toMatchObject(text);
    expect(await logs.wholePlanTexts.read('job', planTextDigest(whole))).toMatchObject(whole);
    await logs.remove('job');
    expect(await collect(store.list('logs/default/job/'))).toEqual([]);
  });

  test('is not asked for by an id that leads elsewhere', async () => {
    await expect(createJobLogs(store).of('default').planTexts.read('../job', digest)).rejects.toMatchObject({
      code: 'INVALID_KEY',
    });
  });
});
