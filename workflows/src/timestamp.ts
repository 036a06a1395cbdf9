/** The time of the workflow's own clock, which replays. ISO 8601. */
export function timestamp(): string {
  return new Date(Date.now()).toISOString();
}
