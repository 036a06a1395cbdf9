/** What people have to know of a plan besides its changes: checks that failed, and what Terraform warned of. Pure. */
import type { PlanWarnings } from '@nereid/domain/plan';
import { cut } from '../failure/failure.ts';

/** The limits that `PlanWarnings` promises. */
const TEXTS_LIMIT = 10;
const LENGTH_LIMIT = 500;

export interface Warned {
  /** Failed checks, as the plan has them. */
  readonly checks: readonly string[];
  /** As steps printed it. */
  readonly printed: readonly string[];
}

/** Undefined when there are none. `hide` hides secrets, as they were printed and as they look on one line, before anything is cut. */
export function planWarnings(
  { checks, printed }: Warned,
  hide: (output: Uint8Array) => Uint8Array = asItIs,
): PlanWarnings | undefined {
  const others = checks.length > 0 ? printed.filter((text) => !text.startsWith(OF_CHECK)) : printed;
  const texts = [...new Set([...checks, ...others].map((text) => shownText(text, hide)))];
  if (texts.length === 0) return undefined;
  const omitted = texts.length - TEXTS_LIMIT;
  return { texts: texts.slice(0, TEXTS_LIMIT), ...(omitted > 0 && { omitted }) };
}

/** One line of it, without secrets, cut. */
export function shownText(text: string, hide: (output: Uint8Array) => Uint8Array = asItIs): string {
  return cut(hidden(oneLine(hidden(text, hide)), hide), LENGTH_LIMIT);
}

function hidden(text: string, hide: (output: Uint8Array) => Uint8Array): string {
  return Buffer.from(hide(Buffer.from(text))).toString();
}

const asItIs = (output: Uint8Array) => output;

/** Terraform's words for a check that the plan has as well. */
const OF_CHECK = 'Check block assertion failed';

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
