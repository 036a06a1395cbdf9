import { formatPath, inFileOrder, type Path, type Place, type Problem } from './problem.ts';
import type { YamlSource } from './yaml-source.ts';

/** Collects the findings of rules; each finding gets its place in the file. */
export interface Report {
  error(path: Path, message: string): void;
  warn(path: Path, message: string): void;
  placeOf(path: Path): Place;
  /** In the order of the file. */
  problems(): readonly Problem[];
  warnings(): readonly Problem[];
}

export type Rule<Subject> = (subject: Subject, report: Report) => void;

export function createReport(source: YamlSource): Report {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  return {
    error: (path, message) => problems.push(problemAt(source, path, message)),
    warn: (path, message) => warnings.push(problemAt(source, path, message)),
    placeOf: (path) => placeAt(source, path),
    problems: () => inFileOrder(problems),
    warnings: () => inFileOrder(warnings),
  };
}

export function problemAt(source: YamlSource, path: Path, message: string): Problem {
  return { ...placeAt(source, path), message };
}

export function placeAt(source: YamlSource, path: Path): Place {
  const { local = path, ...file } = source.placeOf?.(path) ?? {};
  return { path: formatPath(local), ...file, ...source.positionOf(path) };
}
