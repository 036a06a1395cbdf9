export interface HostRequest {
  readonly action: HostAction;
  readonly hostId: string;
}

/** `drain`: the host takes no more work, and what runs ends as it should. `resume`: it takes work again. */
export type HostAction = 'drain' | 'resume';
