/** What Terraform and OpenTofu compare to know whether a state has changed. Pure. */

/** Both stand at the top of a state, before anything that may be large. */
const HEAD =
  /^\s*\{\s*"version":\s*\d+,\s*"terraform_version":\s*"[^"]{0,100}",\s*"serial":\s*(\d{1,19}),\s*"lineage":\s*"([\w-]{0,100})"/;

/** Enough of a state to find them. */
export const HEAD_BYTES = 1024;

/** The version of the state that begins like this, as `<serial> <lineage>`; undefined where it is no state. */
export function stateVersionIn(head: string): string | undefined {
  const [, serial, lineage] = HEAD.exec(head) ?? [];
  return serial === undefined || lineage === undefined ? undefined : `${serial} ${lineage}`;
}
