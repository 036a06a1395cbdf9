/** The namespaces in Temporal that this installation has marked as its own: `namespaces/<id>`, with the name in it. */
import type { ObjectStore } from '../objects/object-store.ts';
import { ownNamespaceKey } from './record-keys.ts';

export interface TemporalNamespace {
  /** Temporal's own, random: a namespace of the same name at another server has another one. */
  readonly id: string;
  readonly name: string;
}

export interface OwnNamespaces {
  has(namespace: TemporalNamespace): Promise<boolean>;
  /** For good: a namespace never becomes that of another installation. */
  add(namespace: TemporalNamespace): Promise<void>;
}

export function createOwnNamespaces(store: ObjectStore): OwnNamespaces {
  const has: OwnNamespaces['has'] = async ({ id }) => (await store.get(ownNamespaceKey(id))) !== undefined;

  return {
    has,
    async add(namespace) {
      if (await has(namespace)) return;
      await store.put(ownNamespaceKey(namespace.id), Buffer.from(`${namespace.name}\n`));
    },
  };
}
