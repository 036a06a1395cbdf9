/** How states look. The words are those of the API, which options take as well. */
import type { Piece, Style } from './screen.ts';

const LOOKS: Readonly<Record<string, Style>> = {
  'outcome-unknown': 'red',
  'apply-outcome-unknown': 'red',
  failed: 'red',
  'plan-failed': 'red',
  'apply-failed': 'red',
  refused: 'red',
  'host-lost': 'red',
  unreadable: 'red',
  stuck: 'red',
  away: 'red',
  review: 'yellow',
  'awaiting-review': 'yellow',
  locked: 'yellow',
  undeployed: 'yellow',
  draining: 'yellow',
  applying: 'cyan',
  planning: 'cyan',
  preparing: 'cyan',
  working: 'cyan',
  succeeded: 'green',
  'no-changes': 'green',
  planned: 'green',
  done: 'green',
  ready: 'green',
  idle: 'dim',
};

/** A state of a lane, a deployment or a host. A newer console may have others. */
export function stateLook(state: string): Piece {
  const style = LOOKS[state];
  return style === undefined ? state : { text: state, style };
}

/** A short SHA, for people. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
