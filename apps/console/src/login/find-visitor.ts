import { CLIENT_HEADER } from '@nereid/api';
import type { LoginConfig } from '@nereid/config';
import type { LoginProof } from '@nereid/contracts';
import type { Identify } from '@nereid/identity';
import type { Request } from 'express';
import { isLocal } from '../access/is-local.ts';
import type { Access } from '../config.ts';
import type { Sessions } from './session/sessions.ts';
import type { FindVisitor, Visitor } from './visitor.ts';

export interface VisitorSources {
  readonly access: Access;
  readonly identify: Identify;
  /** How people log in, from the start of the console on. */
  readonly login: LoginConfig | undefined;
  /** Undefined where there are none. */
  readonly sessions: Sessions | undefined;
}

/** A page takes less. A stream asks again and again: whoever was logged out meanwhile gets nothing more of it. */
const FRESH_MS = 5_000;

/** Each request is looked at once, however often its visitor is asked for, and again while it goes on. */
export function createFindVisitor(sources: VisitorSources): FindVisitor {
  const known = new WeakMap<Request, { readonly visitor: Promise<Visitor>; readonly atMs: number }>();
  return (request) => {
    const found = known.get(request);
    if (found !== undefined && Date.now() - found.atMs < FRESH_MS) return found.visitor;
    const visitor = find(sources, request);
    known.set(request, { visitor, atMs: Date.now() });
    return visitor;
  };
}

async function find({ access, identify, login: policy, sessions }: VisitorSources, request: Request): Promise<Visitor> {
  const token = apiTokenOf(request, policy);
  if (token !== undefined) return visitorBy(identify, 'header', { mode: 'token', token });
  switch (policy?.mode) {
    case undefined:
      return { kind: 'anonymous' };
    case 'local':
      if (!isLocal(access, request.headers.host)) return { kind: 'anonymous' };
      if (policy.as === undefined) return { kind: 'local' };
      return visitorBy(identify, isProgram(request) ? 'header' : 'browser', { mode: 'local' });
    case 'proxy': {
      const assertion = assertionIn(request, policy.header);
      // The proxy adds it to whatever the browser sends, also for other sites.
      return assertion === undefined
        ? { kind: 'anonymous' }
        : visitorBy(identify, 'browser', { mode: 'proxy', assertion });
    }
    case 'github':
    case 'oidc': {
      const opened = (await sessions?.open(request)) ?? { kind: 'none' };
      if (opened.kind === 'none') return { kind: 'anonymous' };
      if (opened.kind === 'over') return { kind: 'refused', why: opened.why, by: 'browser' };
      const { tokens, id } = opened.session;
      return visitorBy(identify, 'browser', tokens.proof, id);
    }
  }
}

async function visitorBy(
  identify: Identify,
  by: 'browser' | 'header',
  proof: LoginProof,
  session?: string,
): Promise<Visitor> {
  const found = await identify(proof, new Date());
  if (found.kind === 'nobody') return { kind: 'refused', why: found.why, by };
  return { kind: 'person', person: found.person, proof, by, ...(session !== undefined && { session }) };
}

const BEARER = /^Bearer +(?<token>[\w~+/.-]{1,16384}=*)$/i;

/** Ours are short, and begin like this. A proxy may assert people in the same header. */
function apiTokenOf(request: Request, login: LoginConfig | undefined): string | undefined {
  const token = BEARER.exec(request.headers.authorization ?? '')?.groups?.['token'];
  const isForProxy = login?.mode === 'proxy' && login.header === 'authorization' && !token?.startsWith('nereid_');
  return token === undefined || isForProxy ? undefined : token.slice(0, 500);
}

/** Several headers of one name are none: somebody has added one. */
function assertionIn({ headersDistinct }: Request, header: string): string | undefined {
  const [value, ...others] = headersDistinct[header] ?? [];
  if (value === undefined || others.length > 0) return undefined;
  return BEARER.exec(value)?.groups?.['token'] ?? value;
}

/**
 * A browser asks us before it sends this header for a page of another site, and is never allowed to. So a request that has it comes
 * from a program on this machine, which may act as the person in front of it may. What a browser sends for a page has its origin, too.
 */
function isProgram(request: Request): boolean {
  return request.get(CLIENT_HEADER) !== undefined && request.get('origin') === undefined;
}
