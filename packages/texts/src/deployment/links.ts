/** Absolute addresses. Addresses that are not configured are absent. */
export interface CheckRunLinks {
  /** The deployment's page in the console: plan, logs, why it waits. */
  readonly deploymentUrl: string;
  /** The terraform workflow in the Temporal UI. */
  readonly workflowUrl?: string;
  /** The lane's workflow in the Temporal UI. */
  readonly laneUrl?: string;
  /** The page of the deployment that set the lock. */
  readonly lockUrl?: string;
  /** The page of the deployment that brought this one along. */
  readonly carrierUrl?: string;
  /** Of the deployments that the reason for a wait names, in its order. */
  readonly named?: readonly { readonly rootName: string; readonly url: string }[];
  readonly commitUrl?: string;
  readonly pullRequestUrl?: string;
  /** The word with which commands in comments begin; default `nereid`. */
  readonly commandName?: string;
  /** Of a preview: the page of all previews of its pull request. */
  readonly allPlansUrl?: string;
  /** The console's page of hosts: how busy they are at the moment. */
  readonly hostsUrl?: string;
  /** Present where people see no buttons. */
  readonly wordsOnly?: WordsOnly;
}

/** A forge without buttons. */
export interface WordsOnly {
  /** Its name. */
  readonly forge: string;
  /** The lane as a command names it: `acme/infra/network`. */
  readonly lane: string;
}
