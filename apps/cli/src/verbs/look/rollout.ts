import type { Verb } from '../verb.ts';
import { COMMIT_DETAILS, findCommit } from '../../clone/find-commit.ts';
import { parseRepository } from '../../arguments/names.ts';
import type { Call } from '../../call.ts';
import { EXIT, wrongUsage, type ExitCode } from '../../exit-code.ts';
import { shortSha } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { showDeployments } from '../../show/deployments-table.ts';
import { noteEmpty, noteUnavailable, readList } from '../lists.ts';

export const rollout: Verb = {
  name: 'rollout',
  group: 'Look',
  summary: 'one merge with all its roots; without a commit, the merges of the last days',
  details: [COMMIT_DETAILS],
  isRemote: true,
  arguments: [
    { name: 'OWNER/NAME', isOptional: true },
    { name: 'COMMIT', isOptional: true },
  ],
  examples: [
    { command: 'nereid rollout', does: 'the last merges, and where their roots stand' },
    { command: 'nereid rollout acme/infra origin/main', does: 'the roots of the last merge, in a clone' },
  ],
  async run(call) {
    const [repository] = call.given.all('OWNER/NAME');
    const [commit] = call.given.all('COMMIT');
    if (repository === undefined) return showAll(call);
    if (commit === undefined) throw wrongUsage('rollout needs COMMIT, like nereid rollout acme/infra origin/main');
    const named = parseRepository(repository);
    const client = call.client();
    const sha = await findCommit(call, client, repository, commit);
    const { json, value } = await client.get('getRollout', { parameters: { ...named, sha } });
    call.json(json);
    noteUnavailable(call.notes, value.unavailable);
    const { title, author, at, counts, deployments, halted, nextWave } = value;
    call.screen.line(
      { text: `${value.repository} ${shortSha(value.sha)}`, style: 'bold' },
      `  “${title}” by ${author}`,
    );
    call.screen.line(`${countsOf(counts)}, ${relativeTime(at, call.world.now())}`);
    if (halted !== undefined) call.screen.line({ text: halted, style: 'yellow' });
    if (nextWave !== undefined) call.screen.line(nextWave);
    showDeployments(
      call,
      deployments.map((one) => ({ ...one, repository })),
    );
    return EXIT.done;
  },
};

async function showAll(call: Call): Promise<ExitCode> {
  const found = await readList(call, call.client(), 'listRollouts', {});
  noteEmpty(call, found, 'merges of the last days');
  call.screen.table(
    [
      { title: 'REPOSITORY' },
      { title: 'COMMIT' },
      { title: 'WHEN' },
      { title: 'BY' },
      { title: 'ROOTS' },
      { title: 'TITLE', isFlexible: true },
    ],
    found.map(({ repository, sha, at, author, counts, title }) => [
      ...[repository, sha, relativeTime(at, call.world.now())],
      ...[author, countsOf(counts), title],
    ]),
  );
  return EXIT.done;
}

function countsOf(counts: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(counts)
    .map(([stand, count]) => `${count ?? 0} ${stand}`)
    .join(', ');
}
