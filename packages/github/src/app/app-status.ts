/** What GitHub says of our App: what it may do, where it is installed, where its webhooks go and whether they arrive. */
import type { Clients } from '../client/clients.ts';
import { inPages, PAGE_SIZE } from '../client/pages.ts';

type Permissions = Readonly<Record<string, string | undefined>>;

export interface AppGrants {
  readonly slug: string;
  /** By name: `read`, `write` or `admin`. */
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

export interface InstallationGrants {
  /** The login of the organisation or person. */
  readonly account: string;
  readonly isSuspended: boolean;
  /** What its owner has agreed to, which may be less than what the App asks for. */
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

export interface Webhook {
  /** Undefined where the App has none. */
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly hasSecret: boolean;
}

/** The newest attempt to deliver a webhook. */
export interface LastDelivery {
  readonly event: string;
  /** ISO 8601. */
  readonly at: string;
  /** Of the answer; 0 when there was none. */
  readonly status: number;
}

export interface AppStatus {
  readGrants(): Promise<AppGrants>;
  /** At most 1,000. */
  readInstallations(): Promise<readonly InstallationGrants[]>;
  readWebhook(): Promise<Webhook>;
  /** Undefined when GitHub knows none. */
  readLastDelivery(): Promise<LastDelivery | undefined>;
}

export function createAppStatus(clients: Clients): AppStatus {
  return {
    async readGrants() {
      const { data } = await clients.askApp('GET App', (octokit) => octokit.request('GET /app'));
      // Only an App that is not there has no answer, and then the request fails.
      return { slug: data?.slug ?? '', permissions: permissionsIn(data?.permissions), events: data?.events ?? [] };
    },
    async readInstallations() {
      const all = await inPages((page) =>
        clients.askApp('GET installations', async (octokit) => {
          const { data } = await octokit.request('GET /app/installations', { per_page: PAGE_SIZE, page });
          return data;
        }),
      );
      return all.map(({ account, suspended_at: suspendedAt, permissions, events }) => ({
        account: loginIn(account),
        isSuspended: suspendedAt !== null,
        permissions: permissionsIn(permissions),
        events,
      }));
    },
    async readWebhook() {
      const { data } = await clients.askApp('GET webhook', (octokit) => octokit.request('GET /app/hook/config'));
      return { url: data.url, contentType: data.content_type, hasSecret: data.secret !== undefined };
    },
    async readLastDelivery() {
      const { data } = await clients.askApp('GET deliveries', (octokit) =>
        octokit.request('GET /app/hook/deliveries', { per_page: 1 }),
      );
      return data.map(({ event, delivered_at: at, status_code: status }) => ({ event, at, status }))[0];
    },
  };
}

function permissionsIn(given: object | undefined): Permissions {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(given ?? {});
  return Object.fromEntries(entries.flatMap(([name, level]) => (typeof level === 'string' ? [[name, level]] : [])));
}

/** Enterprises have a slug instead. */
function loginIn(account: object | null): string {
  const name: unknown = account && ('login' in account ? account.login : 'slug' in account ? account.slug : undefined);
  return typeof name === 'string' ? name : 'an account without a name';
}
