/**
 * The version of a state, as `<serial> <lineage>`: what Terraform and OpenTofu compare to know whether a state has changed. Pure.
 */

/** Both stand at the top of a state, before anything that may be large. */
const HEAD =
  /^\s*\{\s*"version":\s*\d+,\s*"terraform_version":\s*"[^"]{0,100}",\s*"serial":\s*(\d{1,19}),\s*"lineage":\s*"([\w-]{0,100})"/;

/** Enough of a state to find them. */
export const HEAD_BYTES = 1024;

/** The version of a state that was never written. */
export const NO_STATE = '0 ';

/** The version of the state that begins like this; undefined where it is no state. */
export function stateVersionIn(head: string): string | undefined {
  const [, serial, lineage] = HEAD.exec(head) ?? [];
  return serial === undefined || lineage === undefined ? undefined : `${serial} ${lineage}`;
}

/** Whether the state is certainly not the one of the plan. If the plan or the state does not tell, nobody knows. */
export function hasStateChanged(planned: string | undefined, present: string | undefined): boolean {
  return planned !== undefined && present !== undefined && planned !== present;
}
