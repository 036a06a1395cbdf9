/** A GitHub with one repository, whose people merge changes and confirm their plans. */
import { startGitHub } from '@nereid/github-stand-in';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RESOURCES } from '../images/containers/operator-files.ts';

export interface Merges extends AsyncDisposable {
  /** Merges a change, and waits until its plan has a button. Returns the revision. */
  plan(count: number): Promise<string>;
  /** Presses the button, and waits until the plan is applied. Returns the title of the check run. */
  confirm(sha: string): Promise<string>;
}

/** Of its loopback address. */
export const GITHUB_PORT = 4500;

/** Where it finds the gateway. */
export const GATEWAY = { host: '127.0.0.1', port: 4143 } as const;

/** A plan takes seconds; a worker that ended is missed after a minute. */
const DEADLINE_MS = 300_000;

const INFRA = { owner: 'acme', name: 'infra' };
const REPOSITORY = `${INFRA.owner}/${INFRA.name}`;
const ROOT = `terraform {
  backend "local" { path = "${RESOURCES}/network.tfstate" }
}
`;
const change = (count: number) => `resource "terraform_data" "made" {
  triggers_replace = "${count}"
  provisioner "local-exec" { command = "sleep 1; echo '${count}' >> ${RESOURCES}/applied" }
}
`;

/** `keys` is the folder of the App's key and the secret of webhooks; GitHub's own files go into `folder`. */
export async function startMerges(folder: string, keys: string): Promise<Merges> {
  const github = await startGitHub({
    dataDir: path.join(folder, 'github'),
    port: GITHUB_PORT,
    app: { id: 1, slug: 'nereid', key: await readFile(path.join(keys, 'github-app-private-key'), 'utf8') },
    webhook: {
      url: `http://${GATEWAY.host}:${GATEWAY.port}/events`,
      secret: await readFile(path.join(keys, 'github-webhook-secret'), 'utf8'),
    },
  });
  const collaborators = { alice: 'admin', bob: 'write' } as const;
  await github.createRepository({ ...INFRA, files: { 'network/main.tf': ROOT }, collaborators });
  const runOf = (sha: string) =>
    github.checkRuns(REPOSITORY, sha).find(({ name }) => name === 'nereid/deploy: network');
  const buttonOf = (sha: string) => runOf(sha)?.actions.find(({ label }) => label === 'Confirm');
  const waitFor = <T>(sha: string, what: string, ask: () => T | undefined) =>
    github.waitFor(ask, { what, deadlineMs: DEADLINE_MS }).catch((cause: unknown) => {
      throw new Error(`${String(cause)}; the check run: ${JSON.stringify(runOf(sha))}`, { cause });
    });
  return {
    async plan(count) {
      const files = { 'network/made.tf': change(count) };
      const sha = await github.commit({
        repository: REPOSITORY,
        branch: 'main',
        files,
        message: `${count}`,
        author: 'bob',
      });
      await waitFor(sha, 'a plan with a button Confirm', () => buttonOf(sha));
      return sha;
    },
    async confirm(sha) {
      const pressed = new Set<string>();
      return waitFor(sha, 'an apply', () => {
        const { id = 0, conclusion, output } = runOf(sha) ?? {};
        const { identifier } = buttonOf(sha) ?? {};
        // A plan that has to be made again has another one.
        if (identifier !== undefined && !pressed.has(identifier)) {
          pressed.add(identifier);
          github.pressButton(id, identifier, 'alice');
        }
        return conclusion === 'success' ? (output?.title ?? '') : undefined;
      });
    },
    [Symbol.asyncDispose]: () => github.close(),
  };
}
