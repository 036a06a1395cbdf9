/** The alerts as they are in production, but soon: a test cannot wait for a day. */
import { readRules } from '@nereid/test-kit/prometheus';

/** Room for some scrapes of a busy machine. */
const WINDOW = '30s';

/** The thresholds that are times of waiting, in seconds. */
const WAITS = /> (900|7200|86400)$/gm;

/** Longer than anything waits that is well. */
const SOON = '> 5';

/** The text of a file of rules. Nothing has to last before it fires, and the past is half a minute. */
export async function impatientRules(): Promise<string> {
  const rules = await readRules();
  return rules
    .replaceAll(/^(?<indent> +)for: .*\n/gm, '')
    .replaceAll(/\[\d+[mh]\]/g, `[${WINDOW}]`)
    .replaceAll(WAITS, SOON);
}
