/**
 * A forge in memory that shows statuses and takes comments, and lacks everything that a forge may lack: no buttons, no reviews,
 * no teams, no merge queue. Its statuses are not replaced: one is written again for as long as its deployment goes on.
 */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { Comparison } from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import { ForgeRefusedError } from '../errors.ts';
import type { Forge } from '../forge.ts';
import type { NewComment } from '../comments.ts';
import { withNotice } from '../markdown/notice.ts';
import type { Permission } from '../people/people.ts';
import type { PullRequest } from '../pull-request/pull-requests.ts';
import type { CheckRunContent } from '../status/content.ts';
import type { OwnCheckRun } from '../status/statuses.ts';

export interface WordsOnlyOptions {
  readonly repositories: readonly Repository[];
  /** By login. */
  readonly permissions: Readonly<Record<string, Permission>>;
  /** What git says of two commits. */
  readonly compare: (base: string, head: string) => Promise<Comparison>;
}

export interface ShownStatus extends CheckRunContent {
  readonly id: number;
}

export interface WordsOnlyForge {
  readonly forge: Forge;
  /** As people see them, the newest first. */
  statuses(): readonly ShownStatus[];
  /** The bodies of our comments on a pull request, oldest first. */
  comments(pullRequest: number): readonly string[];
  open(pullRequest: PullRequest): void;
}

export function createWordsOnlyForge({ repositories, permissions, compare }: WordsOnlyOptions): WordsOnlyForge {
  const statuses = new StatusBoard();
  const comments: { readonly pullRequest: number; readonly comment: NewComment }[] = [];
  const pullRequests = new Map<number, PullRequest>();
  const permissionOf = async (_repository: Repository, login: string) => Promise.resolve(permissions[login] ?? 'none');
  const forge: Forge = {
    name: 'Words',
    pages: {
      commit: (repository, sha) => `https://words.example/${fullName(repository)}/${sha}`,
      pullRequest: (repository, number) => `https://words.example/${fullName(repository)}/changes/${number}`,
      status: (repository, id) => `https://words.example/${fullName(repository)}/statuses/${id}`,
      file: (repository, sha, path) => `https://words.example/${fullName(repository)}/${sha}/${path}`,
    },
    status: statuses.port,
    comments: {
      create: async (_repository, pullRequest, comment) => {
        const isThere = comments.some((known) => known.comment.key === comment.key);
        if (!isThere) comments.push({ pullRequest, comment });
        return Promise.resolve();
      },
      react: async () => Promise.resolve(),
      kept: {
        find: async () => Promise.resolve(undefined),
        create: async () => Promise.resolve(1),
        update: async () => Promise.resolve(true),
      },
    },
    commits: {
      contributors: async (_repository, sha) =>
        Promise.resolve({ people: [], hasUnknown: false, shas: [sha], mergedInto: [], pullRequests: [] }),
      pullRequests: async () => Promise.resolve([]),
      compare: (_repository, base, head) => compare(base, head),
    },
    people: {
      permissionOf,
      idOf: async (_repository, login) => {
        const index = Object.keys(permissions).indexOf(login);
        return Promise.resolve(index < 0 ? undefined : index + 1);
      },
      findReader: async (repository, login) => ({
        mayRead: (await permissionOf(repository, login)) !== 'none',
        ageMs: 0,
      }),
    },
    pullRequests: {
      get: async (_repository, number) =>
        Promise.resolve(pullRequests.get(number) ?? missing(`pull request ${number}`)),
      open: async () => Promise.resolve([...pullRequests.values()]),
    },
    repositories: {
      all: async () => Promise.resolve(repositories.map((one) => ({ ...one, defaultBranch: 'main' }))),
      allBeside: async () => Promise.resolve(repositories.map((one) => ({ ...one, defaultBranch: 'main' }))),
      installationOf: async ({ owner, name }) =>
        Promise.resolve(repositories.find((one) => one.owner === owner && one.name === name)?.installationId),
      defaultBranch: async () => Promise.resolve('main'),
      isPublic: async () => Promise.resolve(false),
      lastMove: async () => Promise.resolve(undefined),
      movesOf: async () => Promise.reject(new ForgeRefusedError('Words keeps no record of pushes', { status: 404 })),
      pushersOf: async () => Promise.resolve({ people: [], hasUnknown: false }),
    },
    readToken: async () => Promise.resolve({ value: 'a token of Words', expiresAt: Date.now() + HOUR_MS }),
  };
  return {
    forge,
    statuses: () => statuses.shown(),
    comments: (number) => comments.flatMap((one) => (one.pullRequest === number ? [one.comment.body] : [])),
    open: (pullRequest) => void pullRequests.set(pullRequest.number, pullRequest),
  };
}

const HOUR_MS = 3_600_000;

class StatusBoard {
  private readonly contents: CheckRunContent[] = [];

  readonly port: Forge['status'] = {
    create: async (_repository, content) => Promise.resolve(this.add(content)),
    update: async (_repository, id, content) => Promise.resolve(this.write(id, content)),
    addNotice: async (_repository, id, sentence) => {
      const content = this.at(id);
      this.write(id, { ...content, summary: withNotice(content.summary, sentence), actions: [] });
      return Promise.resolve();
    },
    present: async (_repository, refs, content) => {
      const last = refs.at(-1);
      return Promise.resolve([last === undefined ? this.add(content) : this.write(last.id, content)]);
    },
    find: async (_repository, sha, name, externalId) =>
      Promise.resolve(
        this.own().filter((one) => one.headSha === sha && one.name === name && one.externalId === externalId),
      ),
    ofRevision: async (_repository, sha) => Promise.resolve(this.own().filter(({ headSha }) => headSha === sha)),
  };

  shown(): readonly ShownStatus[] {
    return this.contents.map((content, index) => ({ ...content, id: index + 1 })).reverse();
  }

  private own(): readonly OwnCheckRun[] {
    return this.shown().map(({ id, status, name, headSha, externalId, conclusion = null }) => {
      return { id, completed: status === 'completed', name, headSha, externalId, conclusion };
    });
  }

  private add(content: CheckRunContent): CheckRunRef {
    return this.write(this.contents.length + 1, content);
  }

  private write(id: number, content: CheckRunContent): CheckRunRef {
    this.contents[id - 1] = content;
    return { id, completed: content.status === 'completed' };
  }

  private at(id: number): CheckRunContent {
    return this.contents[id - 1] ?? missing(`status ${id}`);
  }
}

function missing(what: string): never {
  throw new ForgeRefusedError(`Words has no ${what}`, { status: 404 });
}
