/** What requests of operators for a pool have in common. */
import { poolNamed } from '@nereid/config';
import { ALL_POOLS, thawOf } from '@nereid/domain/gates';
import type { IntakeResult, OperatorRequestEvent, PoolRequest } from '@nereid/domain/intake';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import { listNames } from '../../../platform/list-names.ts';
import type { IntakeCall } from '../../intake-call.ts';

/** Somebody who may. */
export type PoolAsked<Request extends PoolRequest> = Pick<OperatorRequestEvent, 'sender' | 'senderId'> & {
  readonly request: Request;
};

export type Refuse = (sentence: string) => IntakeResult;

/** The name of the pool that has this name or label; undefined where the server's file has none. */
export function nameOfPool({ context }: IntakeCall, asked: string): string | undefined {
  return asked === ALL_POOLS ? ALL_POOLS : poolNamed(context.server.current().pools, asked);
}

export function unknownPool({ context }: IntakeCall, asked: string): string {
  const names = [...new Set([DEFAULT_POOL, ...context.server.current().pools.map(({ name }) => name)])];
  return `expected a pool of the server's file (${listNames(names)}), found ${JSON.stringify(asked.slice(0, 40))}`;
}

/** Returns why a record of stops was not changed, unless trying again may help. */
export function whyUnreadable({ context }: IntakeCall, error: unknown): string {
  if (!isUnreadableRecord(error)) throw error;
  context.logger.warn({ err: error }, 'the stops of pools cannot be read');
  return `${error.key} cannot be read, so nothing begins anywhere: ${thawOf({ pool: ALL_POOLS })} replaces it, and ends all stops in it`;
}
