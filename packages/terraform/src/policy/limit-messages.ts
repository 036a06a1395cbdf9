import type { PolicyFinding } from './conftest-output.ts';

/** The part of a finding that is shown. */
export interface LimitedFinding extends PolicyFinding {
  readonly omitted?: number;
}

/** More is not read. */
const MESSAGES_LIMIT = 50;
const MESSAGE_LENGTH_LIMIT = 500;

/** Of all policies of a plan: progress of a deployment has 64 KiB, and the plan's summary takes up to 45. */
const TOTAL_BYTES = 8_000;

/** Shortens what policies say, the denials last. A rest is counted. */
export function limitMessages(findings: readonly PolicyFinding[]): readonly LimitedFinding[] {
  let left = TOTAL_BYTES;
  const fits = (message: string) => {
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const isFitting = bytes <= left;
    if (isFitting) left -= bytes;
    return isFitting;
  };
  const short = (messages: readonly string[]) => messages.slice(0, MESSAGES_LIMIT).map(cut);
  // All denials go before the first warning.
  const denials = findings.map((finding) => short(finding.denials).filter(fits));
  const warnings = findings.map((finding, index) =>
    short(finding.warnings)
      .slice(0, MESSAGES_LIMIT - (denials[index]?.length ?? 0))
      .filter(fits),
  );
  return findings.map((finding, index) => {
    const shown = { denials: denials[index] ?? [], warnings: warnings[index] ?? [] };
    const omitted = finding.denials.length + finding.warnings.length - shown.denials.length - shown.warnings.length;
    return { verdict: finding.verdict, ...shown, ...(omitted > 0 && { omitted }) };
  });
}

/** On one line, and between code points, so that no character is halved. */
function cut(message: string): string {
  const points = Array.from(
    message
      .slice(0, 2 * (MESSAGE_LENGTH_LIMIT + 1))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const text =
    points.length <= MESSAGE_LENGTH_LIMIT ? points.join('') : `${points.slice(0, MESSAGE_LENGTH_LIMIT - 1).join('')}…`;
  return text.toWellFormed();
}
