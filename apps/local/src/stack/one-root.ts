/** A repository with one root, whose merges change it by one resource each, and which people plan, confirm and see applied. */
import path from 'node:path';
import type { CheckRun } from '@nereid/github-stand-in';
import type { Stack } from './stack.ts';
import { PEOPLE } from '../sample/people.ts';

export interface OneRoot {
  /** Returns the commit. `name` is that of the resource. */
  merge(name: string): Promise<string>;
  /** The check run of the commit, once it asks. */
  planned(sha: string): Promise<Readonly<CheckRun>>;
  confirm(run: Readonly<CheckRun>): void;
  applied(sha: string): Promise<Readonly<CheckRun>>;
}

/** Everything has to happen within `deadlineMs`. */
export async function createOneRoot({ github, folders }: Stack, name: string, deadlineMs: number): Promise<OneRoot> {
  const repository = `acme/${name}`;
  const state = path.join(folders.state, `${name}.tfstate`);
  const files = { 'network/main.tf': `terraform {\n  backend "local" { path = "${state}" }\n}\n` };
  await github.createRepository({ owner: 'acme', name, files, collaborators: PEOPLE });

  const shown = (sha: string, isWanted: (run: Readonly<CheckRun>) => boolean) =>
    github.waitFor(() => github.checkRuns(repository, sha).find(isWanted), {
      what: `a check run on ${sha}`,
      deadlineMs,
    });
  return {
    merge: (resource) =>
      github.commit({
        ...{ repository, branch: 'main', message: resource, author: 'alice' },
        files: { [`network/${resource}.tf`]: `resource "terraform_data" "${resource}" {}\n` },
      }),
    planned: (sha) => shown(sha, ({ actions }) => actions.some(({ label }) => label === 'Confirm')),
    confirm({ id, actions }) {
      const { identifier = '' } = actions.find(({ label }) => label === 'Confirm') ?? {};
      github.pressButton(id, identifier, 'bob');
    },
    applied: (sha) => shown(sha, ({ conclusion }) => conclusion === 'success'),
  };
}
