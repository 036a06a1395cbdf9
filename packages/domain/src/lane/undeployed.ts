import type { Trigger } from '../deployment/request.ts';
import type { Revision } from '../deployment/revision.ts';
import type { EndedStatus } from '../deployment/status.ts';

/** A deployment that ended without taking effect, as its lane keeps it until a later one takes effect that contains it. */
export interface Undeployed {
  readonly deploymentId: string;
  readonly revision: Pick<Revision, 'sha' | 'position' | 'title'>;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** Login on the forge. */
  readonly requestedBy: string;
  readonly status: EndedStatus;
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** Why it ended so: one line of at most 200 characters. May quote Terraform: hostile. */
  readonly reason?: string;
}
