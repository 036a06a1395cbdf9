import { CLIENT_HEADER } from '@nereid/api';
import type { LoginProof } from '@nereid/contracts';
import type { Identify } from '@nereid/identity';
import type { Request } from 'express';
import { isLocal } from '../access/is-local.ts';
import type { Access } from '../config.ts';
import type { FindVisitor, Visitor } from './visitor.ts';

export interface VisitorSources {
  readonly access: Access;
  readonly identify: Identify;
  /** Whose name people on this machine act in; undefined where nobody acts. */
  readonly localPerson: () => string | undefined;
}

export function createFindVisitor({ access, identify, localPerson }: VisitorSources): FindVisitor {
  return async (request) => {
    const token = bearerOf(request);
    if (token !== undefined) return visitorBy('header', { mode: 'token', token });
    if (!isLocal(access, request.headers.host) || localPerson() === undefined) return { kind: 'anonymous' };
    return visitorBy(isProgram(request) ? 'header' : 'browser', { mode: 'local' });
  };

  async function visitorBy(by: 'browser' | 'header', proof: LoginProof): Promise<Visitor> {
    const found = await identify(proof, new Date());
    if (found.kind === 'nobody') return { kind: 'refused', why: found.why };
    return { kind: 'person', person: found.person, proof, by };
  }
}

/**
 * A browser asks us before it sends this header for a page of another site, and is never allowed to. So a request that has it comes
 * from a program on this machine, which may act as the person in front of it may. What a browser sends for a page has its origin, too.
 */
function isProgram(request: Request): boolean {
  return request.get(CLIENT_HEADER) !== undefined && request.get('origin') === undefined;
}

function bearerOf({ headers: { authorization = '' } }: Request): string | undefined {
  return /^Bearer +(?<token>[\w~+/.-]{1,500}=*)$/i.exec(authorization)?.groups?.['token'];
}
