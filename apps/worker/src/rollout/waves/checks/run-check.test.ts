/** Checks against real servers, which answer well, badly, slowly, never, and without end. */
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Expectation, RequestCheck } from '@nereid/config';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { endless, openReceiver, silence, status, type Answer, type Receiver } from '@nereid/test-kit/receiver';
import { runCheck } from './run-check.ts';

/** A server that answers may be slow on a busy machine. */
const PATIENCE_MS = 60_000;

const SECRET = 'key-of-the-service';

let server: Receiver;
const folder = folderOfEachTest();
let logged: string[];

beforeEach(async () => {
  server = await openReceiver();
  logged = [];
});

afterEach(() => server.close());

/** Compressed zeros without end. */
function bomb(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' });
  const zeros = new Readable({
    read() {
      this.push(Buffer.alloc(1_048_576));
    },
  });
  pipeline(zeros, createGzip(), response, () => undefined);
}

/** Sends this, and then one byte after the other; or all of it again and again. */
function dripping(beginning: string, again = false): Answer {
  return ({ socket }) => {
    socket?.on('error', () => undefined).write(beginning);
    const timer = setInterval(() => socket?.write(again ? beginning : 'x'), 5);
    socket?.once('close', () => {
      clearInterval(timer);
    });
  };
}

function run(check: Pick<RequestCheck, 'target'> & Partial<RequestCheck>) {
  const usual = { name: 'a', everyMs: 60_000, failures: 3, timeoutMs: PATIENCE_MS };
  return runCheck({ ...usual, ...check }, (error) => logged.push(String(error)));
}

const http = (more: { readonly status?: number } = {}) =>
  ({ kind: 'http', url: `${server.url}/healthz`, ...more }) as const;

describe('an address', () => {
  test.each([
    [200, undefined, true, 'answered 200'],
    [204, undefined, true, 'answered 204'],
    [500, undefined, false, 'answered 500, expected 200 to 299'],
    [404, 200, false, 'answered 404, expected 200'],
    [503, 503, true, 'answered 503'],
    [200, 204, false, 'answered 200, expected 204'],
  ])('that answers %i, where %p is expected: %p', async (answered, expected, passes, sentence) => {
    server.always(status(answered, answered === 204 ? '' : SECRET));

    expect(await run({ target: http(expected === undefined ? {} : { status: expected }) })).toEqual({
      passes,
      sentence,
    });
    expect(server.received()).toMatchObject([{ method: 'GET', path: '/healthz' }]);
  });

  test('that redirects is not followed, and fails, unless that is what is expected', async () => {
    const inside = await openReceiver();
    server.always(status(302, '', { location: `${inside.url}/latest/meta-data` }));

    expect(await run({ target: http() })).toEqual({
      passes: false,
      sentence: 'answered 302, expected 200 to 299, and redirects are not followed',
    });
    expect(await run({ target: http({ status: 302 }) })).toEqual({ passes: true, sentence: 'answered 302' });
    expect(inside.received()).toEqual([]);
    await inside.close();
  });

  test('that never answers fails in time, and so does one that is not there', async () => {
    server.always(silence);
    const gone = await openReceiver();
    await gone.close();

    expect(await run({ target: http(), timeoutMs: 1_000 })).toEqual({
      passes: false,
      sentence: 'did not answer within 1s',
    });
    expect(await run({ target: { kind: 'http', url: gone.url } })).toEqual({
      passes: false,
      sentence: 'did not answer (ECONNREFUSED)',
    });
  });

  test.each<[string, Answer]>([
    ['the header of its answer, byte by byte', dripping('HTTP/1.1 200 OK\r\nx-a: ')],
    ['announcements of an answer, without end', dripping('HTTP/1.1 103 Early Hints\r\n\r\n', true)],
  ])('that sends %s, fails in time', async (_what, answer) => {
    server.always(answer);

    expect(await run({ target: http(), timeoutMs: 1_000 })).toEqual({
      passes: false,
      sentence: expect.stringMatching(/^did not answer \(UND_ERR_HEADERS_OVERFLOW\)$|^did not answer within 1s$/),
    });
  });

  test('at a port that no client of HTTP asks fails, and says so', async () => {
    expect(await run({ target: { kind: 'http', url: 'http://127.0.0.1:6000/healthz' } })).toEqual({
      passes: false,
      sentence: 'was not asked: clients of HTTP refuse its port; serve it on another one',
    });
  });

  test('that talks without end has answered', async () => {
    server.always(endless);

    expect(await run({ target: http() })).toEqual({ passes: true, sentence: 'answered 200' });
  });
});

describe('a key of a file', () => {
  test.each([
    ['Authorization', { authorization: `Bearer ${SECRET}` }],
    ['X-Api-Key', { 'x-api-key': SECRET }],
  ])('goes in %s', async (header, expected) => {
    const file = join(folder, 'key');
    await writeFile(file, `${SECRET}\n`);

    expect(await run({ target: http(), secret: { file, header } })).toMatchObject({ passes: true });
    expect(server.first().headers).toMatchObject(expected);
  });

  test('that cannot be read fails the check, says so to operators alone, and holds nothing of the file', async () => {
    const file = join(folder, 'key');
    await writeFile(file, `${SECRET}\n${SECRET}\n`);

    expect(await run({ target: http(), secret: { file, header: 'Authorization' } })).toEqual({
      passes: false,
      sentence: 'was not asked: its secret cannot be read; the log of the worker says why',
    });
    expect(logged).toEqual([expect.stringContaining(file)]);
    expect(logged.join('')).not.toContain(SECRET);
    expect(server.received()).toEqual([]);
  });
});

describe('Prometheus', () => {
  const vector = (...values: readonly string[]) => ({
    resultType: 'vector',
    result: values.map((value, index) => ({ metric: { pod: `p${index}` }, value: [1_769_868_000.123, value] })),
  });
  const ask = (expect: Expectation) =>
    run({ target: { kind: 'prometheus', url: `${server.url}/prefix`, query: 'sum(up{job="a&b"}) + 1', expect } });
  const answers = (data: object, more: object = {}) => {
    server.always(status(200, JSON.stringify({ status: 'success', data, ...more })));
  };
  const FEW: Expectation = { kind: '<', number: 0.01 };

  test('is asked the query of the file, as it stands there', async () => {
    answers(vector('0'));
    await ask(FEW);
    const { method, path } = server.first();

    expect(method).toBe('GET');
    expect(path).toMatch(/^\/prefix\/api\/v1\/query\?/);
    expect(new URL(path, server.url).searchParams.get('query')).toBe('sum(up{job="a&b"}) + 1');
  });

  test.each<[Expectation['kind'], number, string, boolean]>([
    ['<', 0.01, '0.009', true],
    ['<', 0.01, '0.01', false],
    ['<=', 0.01, '0.01', true],
    ['>', 5, '5', false],
    ['>=', 5, '5', true],
    ['==', 1, '1', true],
    ['!=', 1, '1', false],
    ['<', 0.01, '1e-05', true],
  ])('finds a number that is %s %d: %s is %p', async (kind, number, found, passes) => {
    answers(vector(found));

    const expected = passes ? `found ${Number(found)}` : `found ${Number(found)}, expected ${kind} ${number}`;
    expect(await ask({ kind, number })).toEqual({ passes, sentence: expected });
  });

  test('may find a scalar', async () => {
    answers({ resultType: 'scalar', result: [1_769_868_000, '0.5'] });

    expect(await ask(FEW)).toEqual({ passes: false, sentence: 'found 0.5, expected < 0.01' });
  });

  test.each<[string, object, string]>([
    ['nothing', vector(), 'found no data, expected < 0.01; where that is well, add "or vector(0)" to the query'],
    ['several series', vector('0', '0'), 'found 2 series, expected < 0.01 of one: sum them up in the query'],
    ['NaN', vector('NaN'), 'found NaN, expected < 0.01'],
    ['less than every number', vector('-Inf'), 'found -Inf, expected < 0.01'],
    ['no number', vector(''), 'found no number, expected < 0.01'],
    ['a histogram', { resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] }, 'found a histogram, '],
    ['a range', { resultType: 'matrix', result: [] }, 'found a matrix, expected one number'],
    ['a text', { resultType: 'string', result: [1, '0'] }, 'found a string, expected one number'],
    ['something else', { resultType: 'vector', result: 'all is well' }, 'answered 200 with something else'],
  ])('fails where it finds %s', async (_what, data, sentence) => {
    answers(data);

    expect(await ask(FEW)).toEqual({ passes: false, sentence: expect.stringContaining(sentence) });
  });

  test('may be expected to find nothing, like an alert', async () => {
    answers(vector());
    expect(await ask({ kind: 'no data' })).toEqual({ passes: true, sentence: 'found no data' });

    answers(vector('0', '1'));
    expect(await ask({ kind: 'no data' })).toEqual({ passes: false, sentence: 'found 2 series, expected no data' });
  });

  test('fails with a warning, because a part of the data may be missing', async () => {
    answers(vector('0'), { warnings: ['store a is away'], infos: ['no counter'] });

    expect(await ask(FEW)).toEqual({ passes: false, sentence: 'answered with a warning: store a is away' });
    answers(vector('0'), { infos: ['no counter'] });
    expect(await ask(FEW)).toMatchObject({ passes: true });
  });

  test('says why it refuses a query, on one line of at most 200 characters', async () => {
    const error = `parse error:\\n\\u001b[31m unexpected ${'x'.repeat(500)}`;
    server.always(status(400, `{"status":"error","errorType":"bad_data","error":"${error}"}`));

    const { passes, sentence } = await ask(FEW);

    expect(passes).toBe(false);
    expect(sentence).toMatch(/^answered 400: parse error: unexpected x+…?$/);
    expect(sentence.length).toBeLessThanOrEqual(200);
  });

  test.each<[string, Answer, string]>([
    ['a page of a proxy', status(200, '<html>Log in</html>'), 'answered 200 with something else'],
    ['a page of a broken proxy', status(502, '<html>'), 'answered 502, expected 200'],
    ['a redirect', status(307, '', { location: '/' }), 'redirects are not followed'],
    ['without end', endless, 'answered more than 64 KB'],
    ['10 MB', status(200, `{"status":"success","data":"${'x'.repeat(10_000_000)}"}`), 'answered more than 64 KB'],
    ['a compressed answer that grows without end', bomb, 'answered more than 64 KB'],
    ['what is not compressed as it says', status(200, '{}', { 'content-encoding': 'gzip' }), 'did not answer (Z_'],
  ])('fails if it answers with %s', async (_what, answer, sentence) => {
    server.always(answer);

    expect(await ask(FEW)).toEqual({ passes: false, sentence: expect.stringContaining(sentence) });
  });
});
