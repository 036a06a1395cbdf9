/** Names of things, as people type them. */
import { FullName, RootName } from '@nereid/api';
import { z } from 'zod';
import { wrongUsage } from '../exit-code.ts';

export interface RepositoryArgument {
  readonly owner: string;
  readonly name: string;
}

export interface LaneArgument extends RepositoryArgument {
  readonly root: string;
}

export interface PullArgument extends RepositoryArgument {
  readonly number: number;
}

export function parseRepository(text: string): RepositoryArgument {
  if (!isRepository(text)) throw wrongUsage(`expected a repository like acme/infra, found ${text}`);
  const [owner = '', name = ''] = text.split('/');
  return { owner, name };
}

export function parseLane(text: string): LaneArgument {
  const lane = laneIn(text);
  if (lane === undefined)
    throw wrongUsage(`expected a lane like acme/infra/network (owner/repository/root), found ${text}`);
  return lane;
}

export function laneIn(text: string): LaneArgument | undefined {
  const [owner = '', name = '', root = '', ...more] = text.split('/');
  const isLane = isRepository(`${owner}/${name}`) && RootName.safeParse(root).success && more.length === 0;
  return isLane ? { owner, name, root } : undefined;
}

/** Dots alone are the names of folders in every address, and of no repository. */
function isRepository(text: string): boolean {
  return FullName.safeParse(text).success && !/(^|\/)\.{1,2}(\/|$)/.test(text);
}

export function laneText({ owner, name, root }: LaneArgument): string {
  return `${owner}/${name}/${root}`;
}

/** `acme/infra#12`, or the address of its page on the forge or in the console. */
export function parsePull(text: string): PullArgument {
  const pattern =
    /^(?<repository>[^/#]+\/[^/#]+)#(?<number>[1-9]\d{0,8})$|\/(?<path>[^/]+\/[^/]+)\/pull\/(?<at>[1-9]\d{0,8})$|\/pulls\/(?<own>[^/]+\/[^/]+)\/(?<ownAt>[1-9]\d{0,8})(?:\?|$)/;
  const found = pattern.exec(text)?.groups ?? {};
  const repository = found['repository'] ?? found['path'] ?? found['own'];
  if (repository === undefined) throw wrongUsage(`expected a pull request like acme/infra#12, found ${text}`);
  return { ...parseRepository(repository), number: Number(found['number'] ?? found['at'] ?? found['ownAt']) };
}

/** All digits of a commit. */
export function isSha(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** ISO 8601, or a date. */
export function parseTime(text: string, option: string): string {
  const isDate = z.iso.date().safeParse(text).success;
  const time = new Date(isDate ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d{2}-\d{2}/.test(text))
    throw wrongUsage(`expected a time like 2026-11-22T12:00:00Z or 2026-11-22 as --${option}, found ${text}`);
  return time.toISOString();
}

/** The same; a day stays one, and counts as a whole. */
export function parseTimeOrDay(text: string, option: string): string {
  const time = parseTime(text, option);
  return z.iso.date().safeParse(text).success ? text : time;
}

/** A positive number of items. */
export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw wrongUsage(`expected a number of items from 1 to 999999 as --limit, found ${text}`);
  return Number(text);
}
