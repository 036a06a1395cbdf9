/**
 * What is asked while a wave soaks: an address that has to answer, a query of Prometheus whose number has to be right, or a command
 * that has to end well.
 */
import { defined } from '@nereid/domain/defined';
import { millisecondsOf } from '@nereid/domain/duration';
import type { CheckRule } from '@nereid/domain/gates';
import { z } from 'zod';
import { durationBetween } from '../../settings/duration-between.ts';
import { SECRET_FILE } from '../../settings/path-schema.ts';
import { advised, described, list, object, text } from '../../yaml/schema.ts';

/** More are a dashboard. */
const CHECK_LIMIT = 10;

/** Many services inside a company have no TLS, and nothing secret is sent to them. */
const ADDRESS = text('an http or https URL without a fragment or a login', /^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/);
const SERVER = text(
  'the http or https URL of a server of Prometheus, without a query or a login',
  /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
).refine(
  (url) => !url.includes('/api/v1'),
  advised('the URL of a server of Prometheus without /api/v1', 'leave that out: it is added'),
);

/** Over plain HTTP, those on the way read it. */
const OVER_TLS = advised('an https URL, or an http URL of this machine, beside secret_file', 'serve it with TLS');
const IS_SAFE = /^https:|^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?]|$)/;
const keepsSecret = ({ url, secret_file: file }: { url: string; secret_file?: string | undefined }) =>
  file === undefined || IS_SAFE.test(url);

const HEADER = text(
  'the name of a header, but none that a request has anyway',
  /^(?!(?:host|connection|content-length|transfer-encoding|cookie)$)[A-Za-z][A-Za-z0-9-]{0,59}$/i,
);

/** Of all requests. */
const request = {
  secret_file: described(
    SECRET_FILE.optional(),
    'a file of the `control` workers with a key on one line, sent with the request; its URL needs TLS',
    'absolute path (none)',
  ),
  secret_header: described(
    HEADER.optional(),
    'the header that has the key; in `Authorization`, it stands behind `Bearer`',
    'name (`Authorization`)',
  ),
  timeout: described(
    durationBetween('1s', '30s', '10s').optional(),
    'how long an answer may take',
    '`1s` to `30s` (`10s`)',
  ),
};

const STATUS = 'a status from 200 to 599';
const Http = object({
  url: described(ADDRESS, 'what is asked for; redirects are not followed', 'http or https URL'),
  status: described(
    z.int(STATUS).min(200, STATUS).max(599, STATUS).optional(),
    'the status that is expected',
    '200 to 599 (200 to 299)',
  ),
  ...request,
})
  .refine(keepsSecret, { error: OVER_TLS, path: ['url'] })
  .optional();

const EXPECTED = /^(?:no data|(?:[<>]=?|[=!]=) ?-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?)$/;
const Prometheus = object({
  url: described(SERVER, 'the server, without `/api/v1`', 'http or https URL'),
  query: described(
    text('a query in PromQL of at most 2000 characters').max(2_000, 'at most 2000 characters'),
    'what is asked for: one number',
    'PromQL, up to 2000 characters',
  ),
  expect: described(
    text('a comparison with a number like "< 0.01", or "no data"', EXPECTED),
    'how that number has to compare, like `< 0.01`; `no data`: the query, as in a rule of an alert, has to find no series',
    '`<`, `<=`, `>`, `>=`, `==`, `!=` and a number; or `no data`',
  ),
  ...request,
})
  .refine(keepsSecret, { error: OVER_TLS, path: ['url'] })
  .optional();

/** GitHub and clouds take as many characters; as for names of roots in a repository's file. */
const ROOT = text('the name of a root', /^[\w.-]{1,100}$/);

const Run = object({
  command: described(
    text('a command for the shell of at most 2000 characters').max(2_000, 'at most 2000 characters'),
    'for `/bin/sh`; it runs after the steps before the plan, so it can read the outputs of the state',
    'up to 2000 characters',
  ),
  root: described(ROOT.optional(), 'the root it runs in', 'name (the first root of the wave, by name)'),
  timeout: described(
    durationBetween('1s', '10m', '2m').optional(),
    'how long it may take, with the steps before it',
    '`1s` to `10m` (`2m`)',
  ),
}).optional();

const FAILURES = 'a number from 1 to 10';

const Check = object({
  name: described(
    text('a name of at most 60 characters on one line', /^[^\p{Cc}\p{Cf}]{1,60}$/u),
    'shown to people who wait; unique in its wave',
    'up to 60 characters',
  ),
  http: described(
    Http,
    'a GET request that has to be answered; a check has this, or `prometheus`, or `run`',
    'mapping',
  ),
  prometheus: described(
    Prometheus,
    'an instant query of Prometheus, or of what speaks its API: Thanos, Mimir, VictoriaMetrics',
    'mapping',
  ),
  run: described(
    Run,
    'a command that a host runs in a root, as a step of its plan, and that has to end with 0',
    'mapping',
  ),
  every: described(durationBetween('10s', '1h', '1m').optional(), 'how often it runs', '`10s` to `1h` (`1m`)'),
  failures: described(
    z.int(FAILURES).min(1, FAILURES).max(10, FAILURES).optional(),
    'how often it may fail in a row: the last of these failures halts the rollout',
    '1 to 10 (3)',
  ),
}).refine(
  ({ http, prometheus, run }) => [http, prometheus, run].filter((target) => target !== undefined).length === 1,
  advised('one of http, prometheus and run in a check', 'write just one of them'),
);
type Check = z.infer<typeof Check>;

export const CHECKS = list(Check, CHECK_LIMIT).refine(
  (checks) => new Set(checks.map(({ name }) => name.toLowerCase())).size === checks.length,
  advised('checks of different names', 'people who wait read the name'),
);

export type WaveCheck = RequestCheck | CommandCheck;

/** A `control` worker asks a server. */
export interface RequestCheck extends CheckRule {
  readonly target: RequestTarget;
  /** For the whole request and its answer. */
  readonly timeoutMs: number;
  /** A file whose content is sent in this header; absent for none. */
  readonly secret?: { readonly file: string; readonly header: string };
}

/** A host runs a command in a root. */
export interface CommandCheck extends CheckRule {
  readonly target: CommandTarget;
  /** For the command, and the steps of the root before it. */
  readonly timeoutMs: number;
}

export interface CommandTarget {
  readonly kind: 'run';
  /** For a shell. */
  readonly command: string;
  /** Absent: the first root of the wave, by name. */
  readonly rootName?: string;
}

export type RequestTarget =
  /** `status`: the only one that is right; absent: 200 to 299. */
  | { readonly kind: 'http'; readonly url: string; readonly status?: number }
  /** `url`: the top of the server, without a trailing slash. */
  | { readonly kind: 'prometheus'; readonly url: string; readonly query: string; readonly expect: Expectation };

/** `no data`: the query finds nothing. Otherwise it finds one number, which compares so with this one. */
export type Expectation = { readonly kind: 'no data' } | { readonly kind: Comparison; readonly number: number };

export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

export function normaliseCheck({ name, http, prometheus, run, every = '1m', failures = 3 }: Check): WaveCheck {
  const rule = { name, everyMs: millisecondsOf(every) ?? 0, failures };
  if (run !== undefined) {
    const { command, root: rootName, timeout = '2m' } = run;
    const target = { kind: 'run', command, ...defined({ rootName }) } as const;
    return { ...rule, timeoutMs: millisecondsOf(timeout) ?? 0, target };
  }
  const { timeout = '10s', secret_file: file, secret_header: header = 'Authorization' } = http ?? prometheus ?? {};
  return {
    ...{ ...rule, timeoutMs: millisecondsOf(timeout) ?? 0 },
    ...(file !== undefined && { secret: { file, header } }),
    target: prometheus === undefined ? httpTarget(http) : prometheusTarget(prometheus),
  };
}

function httpTarget(http: Check['http']): RequestTarget {
  return { kind: 'http', url: http?.url ?? '', ...defined({ status: http?.status }) };
}

function prometheusTarget({ url, query, expect }: NonNullable<Check['prometheus']>): RequestTarget {
  return { kind: 'prometheus', url: url.replace(/\/+$/, ''), query, expect: expectationOf(expect) };
}

function expectationOf(written: string): Expectation {
  const [, kind, number] = /^([<>=!]=?) ?(.+)$/.exec(written) ?? [];
  return kind === undefined ? { kind: 'no data' } : { kind: kind as Comparison, number: Number(number) }; // As the schema has it.
}
