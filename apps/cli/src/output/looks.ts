/** How states look: with the icons of pages. The words are those of the API, which options take as well. */
import { ICONS, findLook, type Mood } from '@nereid/domain/looks';
import type { Piece, Style } from './screen.ts';

const STYLES: Readonly<Record<Mood, Style>> = {
  waiting: 'yellow',
  working: 'cyan',
  good: 'green',
  bad: 'red',
  neutral: 'dim',
};

/** A state of a lane, a deployment or a host. A newer console may have others. */
export function stateLook(state: string): Piece {
  const look = findLook(state);
  return look === undefined ? state : { text: state, style: STYLES[look.mood], icon: ICONS[look.icon] };
}

/** A short SHA, for people. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
