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
  localPerson(): string | undefined;
}

export function createFindVisitor({ access, identify, localPerson }: VisitorSources): FindVisitor {
  return async (request) => {
    const token = bearerOf(request);
    if (token !== undefined) return visitorBy('header', { mode: 'token', token });
    if (!isLocal(access, request.headers.host) || localPerson() === undefined) return { kind: 'anonymous' };
    return visitorBy('browser', { mode: 'local' });
  };

  async function visitorBy(by: 'browser' | 'header', proof: LoginProof): Promise<Visitor> {
    const found = await identify(proof, new Date());
    if (found.kind === 'nobody') return { kind: 'refused', why: found.why };
    return { kind: 'person', person: found.person, proof, by };
  }
}

function bearerOf({ headers: { authorization = '' } }: Request): string | undefined {
  return /^Bearer +(?<token>[\w~+/.-]{1,500}=*)$/i.exec(authorization)?.groups?.['token'];
}
