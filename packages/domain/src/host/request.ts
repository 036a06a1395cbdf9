import type { HostAction } from '../actions/actions.ts';

export interface HostRequest {
  readonly action: HostAction;
  readonly hostId: string;
}
