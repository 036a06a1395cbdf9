import { defined } from '../defined.ts';
import type { Repository } from '../root/repository.ts';
import type { Signed } from '../signed.ts';
import type { DeploymentRequest } from './request.ts';

/** Signed by intake: that this revision may be deployed to this root, or planned, and who asked for it. */
export interface Order extends Omit<DeploymentRequest, 'installationId' | 'order'> {
  readonly version: 1;
  /** Of the deployment. */
  readonly id: string;
  /** With the number of the installation as it was ordered: whoever carries the order may know an older one. */
  readonly repository: Repository;
}

/** A deployment, as far as it was ordered. */
export interface Ordered extends DeploymentRequest {
  readonly id: string;
}

/** The one list of what a deployment keeps of its order: a field that it lacks does not compile. */
const KEPT: Readonly<Record<keyof Omit<Order, 'version' | 'repository'>, true>> = {
  id: true,
  requestId: true,
  root: true,
  revision: true,
  trigger: true,
  rerun: true,
  force: true,
  requestedBy: true,
  requestedById: true,
  pullRequest: true,
  preview: true,
  formerly: true,
  reviewed: true,
  rollout: true,
  together: true,
  configWarnings: true,
  orderedAt: true,
  expiresAt: true,
};

/**
 * Longer than a deployment waits behind a lock that anybody still means to lift, and as long as GitHub keeps check runs. The
 * markers that keep an order from being used twice are stored for longer.
 */
export const ORDER_LIFE_MS = 400 * 24 * 60 * 60_000;

/** When nobody accepts an order any more, ISO 8601. One that does not say has ended. */
export function orderExpiry({ expiresAt, preview, unlocking, checking }: MayExpire): string {
  return (unlocking ?? checking ?? preview ?? { expiresAt }).expiresAt ?? 'at once';
}

/** An order of any kind, or its deployment. */
interface MayExpire extends Pick<Order, 'expiresAt' | 'preview'> {
  readonly unlocking?: { readonly expiresAt: string };
  readonly checking?: { readonly expiresAt: string };
}

export function hasExpired(order: MayExpire, nowMs: number): boolean {
  return !(nowMs <= Date.parse(orderExpiry(order)));
}

/**
 * The order of a preview is another thing: nobody gives permission to apply for it. A message that somebody else sent is of the
 * kind that it names, or is nothing: it opens as no other kind.
 */
export function orderKind({ trigger }: Partial<Pick<Order, 'trigger'>> = {}): 'order/deploy' | 'order/preview' {
  return trigger === 'preview' ? 'order/preview' : 'order/deploy';
}

/** The content of an order. `repository` is what the caller knows of it, which may have an older number of the installation. */
export function orderBody(repository: Repository, ordered: Ordered): Order {
  const { owner, name, installationId } = repository;
  const known = Object.entries(ordered).filter(([field]) => Object.hasOwn(KEPT, field));
  const body = defined(Object.fromEntries(known)) as Omit<Order, 'version' | 'repository'>; // As the list has it.
  return { ...body, version: 1, repository: { owner, name, installationId: ordered.installationId ?? installationId } };
}

/** The order of a deployment, in its envelope. */
export function orderOf(repository: Repository, ordered: Ordered): Signed<Order> {
  return { body: orderBody(repository, ordered), signature: ordered.order ?? '' };
}
