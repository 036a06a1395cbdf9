/** What a person means by a few words: roots, merges and deployments, the best matches first. Pure. */
import type { LaneSummary, RolloutSummary } from '@nereid/api';
import { containsWords, wordsOf } from '../fleet/contains-words.ts';
import type { LaneDeployment } from '../fleet/lane-deployments.ts';

export interface Known {
  readonly lanes: readonly LaneSummary[];
  readonly rollouts: readonly RolloutSummary[];
  /** Those that run, wait, or ended in the last days. */
  readonly deployments: readonly LaneDeployment[];
}

/** Each at most as many as anybody reads. */
export interface Matches extends Known {
  /** The words, as they were looked for. */
  readonly text: string;
}

const SHOWN = 20;

/** Fewer characters of an id or of a SHA mean anything. */
const LEAST_OF_ID = 4;

export function matchesOf(text: string, { lanes, rollouts, deployments }: Known): Matches {
  const words = wordsOf(text);
  const isIn = (...texts: readonly string[]) => words.length > 0 && containsWords(text, texts);
  const [id = ''] = words;
  const begins = (value: string) =>
    words.length === 1 && id.length >= LEAST_OF_ID && value.toLowerCase().startsWith(id);
  return {
    text,
    lanes: lanes
      .filter(({ repository, rootName, running }) => isIn(repository, rootName, running?.requestedBy ?? ''))
      .toSorted((one, other) => placeOf(one, id) - placeOf(other, id) || one.rootName.localeCompare(other.rootName))
      .slice(0, SHOWN),
    rollouts: rollouts.filter(({ title, author, sha }) => isIn(title, author) || begins(sha)).slice(0, SHOWN),
    deployments: deployments.filter((one) => begins(one.id)).slice(0, SHOWN),
  };
}

/** A root of that very name comes first, then those whose name begins so. */
function placeOf({ rootName }: LaneSummary, word: string): number {
  const name = rootName.toLowerCase();
  if (name === word) return 0;
  return name.startsWith(word) ? 1 : 2;
}
