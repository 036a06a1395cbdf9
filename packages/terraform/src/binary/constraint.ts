/**
 * Terraform's version constraints, as in `required_version = "~> 1.5, != 1.5.3"`.
 *
 * All parts must hold. `~> 1.5` lets its last number grow: at least 1.5.0, below 2.0.0. A pre-release satisfies only a
 * part that names a pre-release of the same version.
 */
import semver, { type SemVer } from 'semver';

export type Constraint = readonly Part[];

interface Part {
  readonly operator: (typeof OPERATORS)[number];
  readonly version: SemVer;
  /** How many numbers are written: 2 in `1.5`. */
  readonly precision: number;
}

const OPERATORS = ['~>', '>=', '<=', '!=', '=', '>', '<'] as const;

/** Longer than any constraint that people write; a bound for text from repositories. */
const LENGTH_LIMIT = 500;

/** Undefined when the text is not a constraint; Terraform itself then says what is wrong with it. */
export function parseConstraint(text: string): Constraint | undefined {
  if (text.length > LENGTH_LIMIT) return undefined;
  const parts = text.split(',').map(parsePart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

export function satisfies(version: string, constraint: Constraint): boolean {
  const parsed = semver.parse(version);
  return parsed !== null && constraint.every((part) => holds(part, parsed));
}

/** The newest version that satisfies the constraint. */
export function newest(versions: readonly string[], constraint: Constraint): string | undefined {
  const satisfying = versions.filter((version) => satisfies(version, constraint));
  return satisfying.sort(semver.rcompare)[0];
}

function parsePart(text: string): Part | undefined {
  const match =
    /^\s*(?<operator>~>|>=|<=|!=|=|>|<)?\s*v?(?<numbers>\d+(?:\.\d+){0,2})(?<rest>-[0-9A-Za-z.-]+)?\s*$/.exec(text);
  const { operator = '=', numbers = '', rest = '' } = match?.groups ?? {};
  const precision = numbers.split('.').length;
  const version = semver.parse(numbers + '.0'.repeat(3 - precision) + rest);
  const known = OPERATORS.find((each) => each === operator);
  return version === null || known === undefined ? undefined : { operator: known, version, precision };
}

function holds({ operator, version, precision }: Part, candidate: SemVer): boolean {
  if (candidate.prerelease.length > 0 && !isPrereleaseOfSame(candidate, version)) return false;
  const order = candidate.compare(version);
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '~>':
      return order >= 0 && hasSamePrefix(candidate, version, precision - 1);
  }
}

function isPrereleaseOfSame(candidate: SemVer, version: SemVer): boolean {
  return version.prerelease.length > 0 && candidate.compareMain(version) === 0;
}

function hasSamePrefix(a: SemVer, b: SemVer, length: number): boolean {
  return (length < 1 || a.major === b.major) && (length < 2 || a.minor === b.minor);
}
