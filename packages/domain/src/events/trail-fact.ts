import type {
  ErasureAuditEvent,
  ForceUnlockAuditEvent,
  ForgedAuditEvent,
  OperatorActionAuditEvent,
  JobAuditEvent,
  TrailEvent,
  UserActionAuditEvent,
} from '../trail/audit-event.ts';

/** An event that the audit trail keeps, under the same id. */
export type TrailFact =
  | OfTrail<'apply-begun' | 'apply-ended', JobAuditEvent>
  /** The answer to a person who asked for something. */
  | OfTrail<'accepted' | 'refused', UserActionAuditEvent | OperatorActionAuditEvent>
  | OfTrail<'force-unlock-ended', ForceUnlockAuditEvent>
  | OfTrail<'person-forgotten', ErasureAuditEvent>
  | Forged;

/** Somebody who reaches Temporal posed as another one, or a key is not known. */
export interface Forged extends OfTrail<'forged', ForgedAuditEvent> {
  /** As it was thrown. */
  readonly error?: Error;
}

interface OfTrail<Kind extends string, Fact extends TrailEvent> {
  readonly kind: Kind;
  readonly id: string;
  readonly fact: Fact;
}

/** The facts of an event that the audit trail is to keep. */
export function trailFact(fact: TrailEvent): TrailFact {
  const { id } = fact;
  if ('jobId' in fact) return { kind: fact.state === 'RUNNING' ? 'apply-begun' : 'apply-ended', id, fact };
  switch (fact.state) {
    case 'REVIEWED':
      return { kind: 'accepted', id, fact };
    case 'REFUSED':
      return { kind: 'refused', id, fact };
    case 'FORGED':
      return { kind: 'forged', id, fact };
    case 'ERASED':
      return { kind: 'person-forgotten', id, fact };
    default:
      return { kind: 'force-unlock-ended', id, fact };
  }
}
