/** A press as the forge has kept it of the webhooks that it sent us: so nobody else can say that a person pressed a button. */
export interface Press {
  /** `owner/name`. What the forge does not say is undefined, in each field. */
  readonly repository: unknown;
  readonly installationId: unknown;
  readonly checkRunId: unknown;
  readonly checkRunName: unknown;
  readonly headSha: unknown;
  readonly externalId: unknown;
  /** Of the button. */
  readonly identifier: unknown;
  readonly sender: unknown;
  readonly senderId: unknown;
}

export interface Buttons {
  /**
   * The press that the webhook with this GUID told of, as the forge has logged it. Undefined when nothing is logged that was sent
   * since then, or it is no press.
   */
  findPress(guid: string, since: string): Promise<Press | undefined>;
}
