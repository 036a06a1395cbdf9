/** Requests of people in the console, or by its API. The console signs them; control decides who asked, and whether they may. */
import type { PressedButton } from './check-run.ts';
import type { Sender } from './intake.ts';
import type { Repository } from './repository.ts';

/** A person asked for something in the console. */
export interface RequestEvent extends Sender {
  readonly kind: 'request';
  readonly repository: Repository;
  readonly request: PersonRequest;
  readonly proof: PersonProof;
}

export type PersonRequest =
  /** The same as a press on the deployment's check run. */
  | {
      readonly action: 'press';
      readonly rootName: string;
      readonly deploymentId: string;
      readonly button: PressedButton;
    }
  | { readonly action: 'rerun' | 'cancel'; readonly rootName: string; readonly deploymentId: string }
  | { readonly action: 'unlock'; readonly rootName: string }
  /** 40 hex digits. */
  | { readonly action: 'deploy'; readonly revision: string; readonly rootNames: readonly string[] }
  /** No names: all roots that the pull request modifies. */
  | { readonly action: 'plan'; readonly pullRequest: number; readonly rootNames: readonly string[] };

/** What shows control who the person is: the console claims nothing of its own. */
export type PersonProof =
  /** Nobody logs in on this machine. Believed only by a control that is configured to. */
  | { readonly kind: 'local' }
  /** The person's own token or assertion, sealed to control for exactly this request. */
  | { readonly kind: 'github' | 'oidc' | 'proxy' | 'token'; readonly sealed: string };
