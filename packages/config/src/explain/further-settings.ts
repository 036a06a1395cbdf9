/** Settings that have no words of their own here: they are shown as the resolver has settled them, with all that sets them. */
import { isDeepStrictEqual } from 'node:util';
import { durationText } from '../duration.ts';
import type { RootSettings } from '../server/repository-entry.ts';
import { sourceOf, whyNot } from './explain-setting.ts';
import type { ExplainedSetting } from './explanation.ts';
import type { Part } from './parts.ts';

/** Those that are explained elsewhere; the values of some of them must not be shown. */
const EXPLAINED: Readonly<Record<string, true>> = {
  ...{ planReview: true, queue: true, onFailure: true, workflow: true, terraformVersion: true, distribution: true },
  ...{ timeoutMs: true, hosts: true, network: true, permissions: true },
  ...{ environment: true, envFrom: true, identity: true },
} satisfies Partial<Record<keyof RootSettings, true>>;

/** `settled` are the settings of the root. Nothing is said of a setting that nobody has written. */
export function explainFurther(settled: object, parts: readonly Part[]): readonly ExplainedSetting[] {
  const written = new Set(parts.flatMap(({ settings }) => Object.keys(settings)));
  return [...written]
    .filter((name) => EXPLAINED[name] === undefined)
    .map((name) => explainOne(name, Reflect.get(settled, name), parts));
}

function explainOne(name: string, result: unknown, parts: readonly Part[]): ExplainedSetting {
  const key = keyOf(name);
  const found = parts.flatMap((part) => {
    const value: unknown = Reflect.get(part.settings, name);
    return value === undefined ? [] : [{ value, source: sourceOf(part, key, wordsOf(name, value)) }];
  });
  const winner = found.find(({ value }) => isDeepStrictEqual(value, result));
  return {
    key,
    value: result === undefined ? 'none' : wordsOf(name, result),
    isDefault: false,
    choice: winner === undefined ? 'together' : 'strictest',
    sources: found.map((one) => {
      const counts = winner === undefined || one === winner;
      return counts
        ? { ...one.source, counts }
        : { ...one.source, counts, why: whyNot(one.source, winner.source, 'strictest') };
    }),
  };
}

/** Of `maxAgeMs`, `max_age`, as the file writes it. */
function keyOf(name: string): string {
  return name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function wordsOf(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('Ms')) return durationText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
