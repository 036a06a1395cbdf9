/**
 * What is known of who sees what, in memory. An answer serves for a while; then everything that its person looked at lately is asked
 * for again, together. While nobody answers, the earlier answers serve a little longer, and then nothing is known.
 */
import { LRUCache } from 'lru-cache';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import { AccessUnknownError } from './access-unknown.ts';
import type { AskAccess, Named, Sees } from './repository-access.ts';

export interface Clock {
  /** Milliseconds. */
  readonly now: () => number;
}

export interface KnownAccess {
  /** How a person sees each of these. Throws an `AccessUnknownError` when nobody can say. */
  of(question: AccessQuestion): Promise<ReadonlyMap<string, Sees>>;
}

export interface AccessQuestion {
  /** Whose answers they are. */
  readonly key: string;
  readonly visitor: KnownVisitor;
  /** By the names by which answers are kept. */
  readonly repositories: ReadonlyMap<string, Named>;
  /** Takes no answer from before an outage. */
  readonly isForAction: boolean;
}

/** A person who lost access goes on reading for this long, and can do nothing meanwhile. */
const FRESH_MS = 5 * 60_000;

/** The longest, while the forge cannot be asked, or is asked no more within the hour. */
const STALE_MS = 15 * 60_000;

/** What was public a moment ago was read by everybody anyway. No list has these, so each of them is a question. */
const PUBLIC_MS = STALE_MS;

/** Two hundred bytes each: 200 people with 250 repositories. */
const ANSWERS_LIMIT = 50_000;

/** Five thousand lanes are in fewer repositories. */
const OF_A_PERSON_LIMIT = 10_000;

interface Answer {
  readonly repository: Named;
  readonly sees: Sees;
  /** When the forge said so. */
  readonly atMs: number;
  usedAtMs: number;
}

interface Person {
  readonly answers: Map<string, Answer>;
  /** Who asks for the same meanwhile waits for the same answer. */
  readonly asking: Map<string, Promise<void>>;
  /** Nobody answered, or wants to be asked again before then. */
  restsUntilMs: number;
}

type Entries = readonly (readonly [name: string, repository: Named])[];

export function createKnownAccess(askAccess: AskAccess, clock: Clock): KnownAccess {
  const people = new LRUCache<string, Person>({ maxSize: ANSWERS_LIMIT, sizeCalculation: sizeOf });

  function isWithin(answer: Answer | undefined, ms: number): boolean {
    return answer !== undefined && clock.now() - answer.atMs <= ms;
  }

  function isFresh(answer: Answer | undefined, isForAction: boolean): boolean {
    return isWithin(answer, !isForAction && answer?.sees === 'as-everybody' ? PUBLIC_MS : FRESH_MS);
  }

  /** Anew, because the size of an entry is taken only when it comes. */
  function keep(key: string, person: Person): void {
    const { answers } = person;
    for (const [name, answer] of answers) if (!isWithin(answer, STALE_MS)) answers.delete(name);
    for (const name of answers.keys()) if (answers.size > OF_A_PERSON_LIMIT) answers.delete(name);
    people.delete(key);
    people.set(key, person);
  }

  async function ask({ key, visitor }: AccessQuestion, person: Person, wanted: Entries): Promise<void> {
    const { answers, asking } = person;
    try {
      const repositories = wanted.map(([, repository]) => repository);
      const found = await askAccess(visitor, repositories);
      const nowMs = clock.now();
      for (const [index, [name, repository]] of wanted.entries()) {
        const { sees = 'no', ageMs = 0 } = found[index] ?? {};
        const usedAtMs = answers.get(name)?.usedAtMs ?? nowMs;
        answers.set(name, { repository, sees, atMs: nowMs - ageMs, usedAtMs });
      }
      keep(key, person);
    } catch (error) {
      if (error instanceof AccessUnknownError) person.restsUntilMs = clock.now() + error.retryAfterS * 1_000;
      throw error;
    } finally {
      for (const [name] of wanted) asking.delete(name);
    }
  }

  /** With the other old answers that the person still uses: a list of all costs the forge little more than one. */
  async function askFor(question: AccessQuestion, person: Person, missing: Entries): Promise<void> {
    const { answers, asking } = person;
    const waits = missing.flatMap(([name]) => asking.get(name) ?? []);
    if (waits.length < missing.length) {
      const isUsed = ({ usedAtMs }: Answer) => clock.now() - usedAtMs <= STALE_MS;
      const others = [...answers].filter(([, answer]) => !isFresh(answer, false) && isUsed(answer));
      const all = new Map([...missing, ...others.map(([name, { repository }]) => [name, repository] as const)]);
      const wanted = [...all].filter(([name]) => !asking.has(name));
      const asked = ask(question, person, wanted);
      for (const [name] of wanted) asking.set(name, asked);
      waits.push(asked);
    }
    await Promise.all(waits);
  }

  return {
    async of(question) {
      const { key, repositories, isForAction } = question;
      const person: Person = people.get(key) ?? { answers: new Map(), asking: new Map(), restsUntilMs: -Infinity };
      if (!people.has(key)) people.set(key, person);
      const missing = [...repositories].filter(([name]) => !isFresh(person.answers.get(name), isForAction));
      const isKnown = () => !isForAction && missing.every(([name]) => isWithin(person.answers.get(name), STALE_MS));
      const rests = clock.now() < person.restsUntilMs;
      if (missing.length > 0 && !(rests && isKnown())) {
        await askFor(question, person, missing).catch((error: unknown) => {
          if (!(error instanceof AccessUnknownError) || !isKnown()) throw error;
        });
      }
      return new Map([...repositories.keys()].map((name) => [name, seenIn(person, name, clock.now())]));
    },
  };
}

function seenIn({ answers }: Person, name: string, nowMs: number): Sees {
  const answer = answers.get(name);
  if (answer === undefined) return 'no';
  answer.usedAtMs = nowMs;
  return answer.sees;
}

function sizeOf({ answers }: Person): number {
  return Math.max(1, answers.size);
}
