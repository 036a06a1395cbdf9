import { CLIENT_HEADER, SESSION_PREFIX } from '@nereid/api';
import type { LoginConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { LoginProof } from '@nereid/domain/intake';
import type { Identify } from '@nereid/identity';
import type { Request } from 'express';
import type { Access } from '../../platform/config/config.ts';
import type { Login } from '../create-login.ts';
import { bearerOf } from '../session/bearer.ts';
import { isLocal } from './is-local.ts';
import type { FindVisitor, Visitor } from './visitor.ts';

export interface VisitorSources {
  readonly access: Access;
  readonly identify: Identify;
  /** How people log in, from the start of the console on. */
  readonly policy: LoginConfig | undefined;
  /** Undefined where nobody has a session. */
  readonly login: Pick<Login, 'sessions' | 'terminalSessions'> | undefined;
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

async function find(sources: VisitorSources, request: Request): Promise<Visitor> {
  const { access, identify, policy, login } = sources;
  const token = tokenOf(request, policy);
  if (token?.startsWith(SESSION_PREFIX)) return visitorAtTerminal(sources, token);
  if (token !== undefined)
    return visitorBy(identify, 'header', { mode: 'token', token: token.slice(0, API_TOKEN_LIMIT) });
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
      const opened = (await login?.sessions.open(request)) ?? { kind: 'none' };
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
  return { kind: 'person', person: found.person, proof, by, ...defined({ session }) };
}

async function visitorAtTerminal({ identify, login }: VisitorSources, text: string): Promise<Visitor> {
  if (login === undefined) return { kind: 'refused', why: NO_SESSIONS, by: 'header' };
  const opened = await login.terminalSessions.open(text);
  if (opened.kind === 'refused') return { kind: 'refused', why: opened.why, by: 'header' };
  const { tokens, id } = opened.session;
  return visitorBy(identify, 'header', tokens.proof, id);
}

const NO_SESSIONS = 'there is no login from a terminal here: send a token of this console';

/** Nobody makes longer ones. */
const API_TOKEN_LIMIT = 500;

/** Ours begin like this. A proxy may assert people in the same header. */
function tokenOf(request: Request, policy: LoginConfig | undefined): string | undefined {
  const token = bearerOf(request.headers.authorization);
  const isForProxy = policy?.mode === 'proxy' && policy.header === 'authorization' && !token?.startsWith('nereid_');
  return isForProxy ? undefined : token;
}

/** Several headers of one name are none: somebody has added one. */
function assertionIn({ headersDistinct }: Request, header: string): string | undefined {
  const [value, ...others] = headersDistinct[header] ?? [];
  if (value === undefined || others.length > 0) return undefined;
  return bearerOf(value) ?? value;
}

/**
 * A browser asks us before it sends this header for a page of another site, and is never allowed to. So a request that has it comes
 * from a program on this machine, which may act as the person in front of it may. What a browser sends for a page has its origin, too.
 */
function isProgram(request: Request): boolean {
  return request.get(CLIENT_HEADER) !== undefined && request.get('origin') === undefined;
}
