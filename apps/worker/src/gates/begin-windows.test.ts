import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { toBeginFailure } from '../platform/failures/failures.ts';
import { begin } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext } from './testing/begin-context.ts';

const MINUTE_MS = 60_000;

/** For clocks that differ. */
const CLOCKS_MS = 30_000;

let clock: { mockRestore(): void } | undefined;

afterEach(() => clock?.mockRestore());

function setClock(ms: number): void {
  clock = jest.spyOn(Date, 'now').mockReturnValue(ms);
}

/** The minute of a window's beginning is a whole one. */
function wholeMinuteIn(ms: number): number {
  return Math.ceil((Date.now() + ms) / MINUTE_MS) * MINUTE_MS;
}

function freezeAt(closesAt: number): string {
  return `[${windowFrom((closesAt - Date.now()) / MINUTE_MS)}]`;
}

/** Begins so many minutes from now, or before. */
function windowFrom(minutes: number, more = ''): string {
  const dtstart = new Date(Date.now() + minutes * MINUTE_MS).toISOString().slice(0, 16);
  return `{ name: Year end, kind: deny, dtstart: "${dtstart}", duration: 1h, timezone: UTC${more} }`;
}

describe("permission to apply, where the server's file has windows", () => {
  test.each([
    ['a freeze that is over', [windowFrom(-120)]],
    ['a freeze of other directories', [windowFrom(-30, ', roots: [other/**]')]],
    ['a freeze of plans', [windowFrom(-30, ', doors: [plan]')]],
    ['an open window', [windowFrom(-30).replace('deny', 'allow')]],
  ])('is given with %s', async (_what, windows) => {
    const context = beginContext({ windows: `[${windows.join(', ')}]` });

    await expect(begin(context, await aBeginning())).resolves.toHaveProperty('signature');
  });

  test.each([
    ['in a freeze', windowFrom(-30), /^Closed until \w{3} \d\d:\d\d UTC \(change freeze “Year end”\)$/],
    [
      'outside of the window',
      windowFrom(30).replace('deny', 'allow'),
      /^Closed until .* UTC \(outside of “Year end”\)$/,
    ],
    ['after the last window', windowFrom(-90).replace('deny', 'allow'), /^Closed, with no opening in sight/],
  ])('is not given %s, and no turn is taken', async (_what, windows, sentence) => {
    const turns: unknown[] = [];
    const turn = async (...asked: readonly unknown[]) => void turns.push(asked);
    const context = beginContext({ windows: `[${windows}]`, turn });

    await expect(begin(context, await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: expect.stringMatching(sentence),
    });
    expect(turns).toEqual([]);
  });

  test('is given for a plan without changes, whatever is closed', async () => {
    const context = beginContext({ windows: `[${windowFrom(-30)}]` });

    await expect(begin(context, await aBeginning({ hasChanges: false }))).resolves.toHaveProperty('signature');
  });

  test('has to be used before a window closes, and the job that began gets its identity all the same', async () => {
    const closesAt = wholeMinuteIn(CLOCKS_MS + 5_000);
    const windows = freezeAt(closesAt);
    setClock(Date.now());

    const { body } = await begin(beginContext({ windows }), await aBeginning());

    expect(Date.parse(body.beginBy)).toBe(closesAt - CLOCKS_MS);
    expect(Date.parse(body.acceptBy)).toBeLessThanOrEqual(closesAt - CLOCKS_MS);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(9 * MINUTE_MS);
  });

  test('is not given where a window closes so soon that no host could begin in time', async () => {
    const closesAt = wholeMinuteIn(0);
    const windows = freezeAt(closesAt);
    setClock(closesAt - CLOCKS_MS);

    await expect(begin(beginContext({ windows }), await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: expect.stringMatching(/^Closed until .* UTC \(change freeze “Year end”\)$/),
      wait: { gate: 'window', until: closesAt + 60 * MINUTE_MS },
    });
  });

  test('is not given where a window closes during the turn: the trail may have the start', async () => {
    const closesAt = wholeMinuteIn(CLOCKS_MS + 5_000);
    const turn = async () => {
      setClock(closesAt);
    };
    const context = beginContext({ windows: freezeAt(closesAt), turn });

    const error: unknown = await begin(context, await aBeginning()).catch((thrown: unknown) => thrown);

    const wait = { gate: 'window', until: closesAt + 60 * MINUTE_MS, isRepeated: true };
    expect(toBeginFailure(error, 1)).toMatchObject({ type: 'GATE_CLOSED', details: [wait] });
  });

  test('is not asked for in a loop: the failure says until when the deployment waits', async () => {
    const context = beginContext({ windows: `[${windowFrom(-30)}]` });
    const error: unknown = await begin(context, await aBeginning()).catch((thrown: unknown) => thrown);

    const wait = {
      ...{ gate: 'window', who: ['operators'] },
      ...{ sentence: expect.stringMatching(/^Closed until/), until: expect.any(Number) },
    };
    expect(toBeginFailure(error, 1)).toMatchObject({ type: 'GATE_CLOSED', nonRetryable: true, details: [wait] });
    expect(toBeginFailure(error, 2)).toMatchObject({ details: [{ ...wait, isRepeated: true }] });
  });
});
