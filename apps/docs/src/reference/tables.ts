import { ENVELOPES, type Holder } from '@nereid/domain/envelope';
import { NOTIFICATION_TOPICS, TOPICS, URGENT_TOPICS } from '@nereid/domain/notification';
import { table } from './markdown.ts';

/** Tables within pages that people write, by the page: each takes the place of the table with the same head. */
export const GENERATED_TABLES = {
  'concepts/signatures.md': envelopesTable,
  'guides/notifications.md': topicsTable,
} as const;

const SIGNERS: Readonly<Record<Holder, readonly [string, string]>> = {
  gateway: ['gateway', '`GATEWAY_KEY`'],
  console: ['console', '`CONSOLE_KEY`'],
  orders: ['worker `control`', '`ORDERS_KEY`'],
  pool: ['host', '`POOL_KEY`'],
};

function envelopesTable(): string {
  const rows = Object.entries(ENVELOPES).map(([kind, { signedBy, says, verifiedBefore }]) => [
    ...SIGNERS[signedBy],
    `\`${kind}\`: ${says}`,
    verifiedBefore,
  ]);
  return table(['Signed by', 'With', 'Content', 'Verified before'], rows);
}

function topicsTable(): string {
  const rows = NOTIFICATION_TOPICS.map((name) => [
    `\`${name}\``,
    TOPICS[name].means,
    URGENT_TOPICS.includes(name) ? 'yes' : 'no',
  ]);
  return table(['In `when`', 'Somebody is notified when', 'By default'], rows);
}
