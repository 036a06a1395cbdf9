import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { EXIT, EXIT_MEANINGS } from '../exit-code.ts';
import { nereid, nereidInside } from '../testing/run.ts';
import { VERBS } from '../verbs/verbs.ts';
import { completionFor, SHELLS } from './completion.ts';
import { overview, verbHelp } from './help.ts';

/** A wide window; more is hard to read. */
const LINE_LIMIT = 140;

describe('help', () => {
  test('lists each verb with its summary, and each exit code', async () => {
    const { status, stdout, stderr } = await nereid(['--help']);

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(overview(VERBS));
    for (const { name, summary } of VERBS) expect(stdout).toMatch(new RegExp(`^  ${name} +${escaped(summary)}$`, 'm'));
    expect(EXIT_MEANINGS.map(([code]) => code)).toEqual(Object.values(EXIT));
  });

  test.each(VERBS)('of $name has its usage and examples, and begins each example as one types it', (verb) => {
    const text = verbHelp(verb);

    expect(text).toContain(`Usage: nereid ${verb.name}`);
    expect(verb.examples.length).toBeGreaterThan(0);
    for (const { command } of verb.examples) expect(command).toContain('nereid');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(LINE_LIMIT);
  });

  test('says which version it is of', async () => {
    expect(await nereidInside(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('is the same by any way of asking', async () => {
    const [one, other, short] = await Promise.all([
      nereidInside(['lanes', '--help']),
      nereidInside(['help', 'lanes']),
      nereidInside(['lanes', '-h', '--state', 'review']),
    ]);

    expect(one).toEqual({ status: 0, stdout: verbHelp(VERBS[1] ?? neverHappens()), stderr: '' });
    expect([other.stdout, short.stdout]).toEqual([one.stdout, one.stdout]);
  });

  test('of a verb that acts says everything that it takes', () => {
    const deploy = VERBS.find(({ name }) => name === 'deploy') ?? neverHappens();

    expect(verbHelp(deploy))
      .toBe(`nereid deploy: deploy a commit of the deployed branch to roots, by the rules of a re-run

Usage: nereid deploy OWNER/NAME COMMIT ROOT... [OPTIONS]

COMMIT is a commit, or the beginning of one. In a clone of the repository, it may be a branch or a tag: it says which
commit that is.

With --wait, it says why the deployments wait, and where to review their plans. Exit code 6: one of them was not
applied.

Options:
  --wait          wait for the end of the deployment, and end with its outcome
  --timeout TIME  give up after a time like 90s, 10m or 2h, with exit code 7
  --json          print the API's answer, one line for each item of a list
  --console URL   the console to ask (NEREID_CONSOLE)
  --allow-http    send the token without TLS, within a network that you trust
  -h, --help      show what it does, with examples

Examples:
  nereid deploy acme/infra origin/main network dns             # to two roots, in a clone
  nereid deploy acme/infra "$SHA" network --wait --timeout 1h  # in a script: its exit code tells
`);
  });
});

describe('a call that is wrong', () => {
  test.each([
    [['lane'], 'lane needs OWNER/NAME/ROOT, like nereid lane acme/infra/network\n'],
    [['pull'], "pull needs PULL, like nereid pull 'acme/infra#12'\n"],
    [['lnes'], 'nereid has no verb lnes; did you mean lanes?\n'],
    [['lanes', '--state', 'good'], 'expected outcome-unknown, '],
    [['lane', 'network'], 'expected a lane like acme/infra/network'],
    [['completion', 'tcsh'], 'expected bash, zsh or fish as SHELL, found tcsh\n'],
  ])('nereid %j says on stderr what is wrong, and ends with exit code 2', async (args, sentence) => {
    const { status, stdout, stderr } = await nereidInside(args);

    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^nereid( (lane|lanes|pull|completion))? --help says more\n$/m);
  });
});

describe('verbs that ask no console', () => {
  test('are those of the configuration', async () => {
    const { status, stdout } = await nereid(['config', 'schema', 'server']);

    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('$schema');
  });

  test.each([
    [['keys'], 'nereid keys FOLDER [POOL] [OPTIONS]'],
    [['identity'], 'nereid identity URL KEY_FILE FOLDER [OPTIONS]'],
    [['token'], 'nereid token NAME [OPTIONS]'],
  ])('nereid %j --help says what it takes, as nereid help does', async ([verb = ''], usage) => {
    const [help, asked] = await Promise.all([nereidInside([verb, '--help']), nereidInside(['help', verb])]);

    expect(help).toEqual({ status: 0, stdout: expect.stringContaining(`Usage: ${usage}\n`), stderr: '' });
    expect(asked).toEqual(help);
  });

  test('nereid token passes on its options', async () => {
    const { status, stdout } = await nereid(['token', 'ci', '--login', 'octocat', '--scopes=read,deploy']);

    expect(status).toBe(0);
    expect(stdout).toContain('login: octocat');
    expect(stdout).toMatch(/scopes:\n +- read\n +- deploy/);
  });
});

describe('completion', () => {
  test.each(SHELLS)('completion for %s has each verb, with its options', (shell) => {
    const text = completionFor(shell, VERBS);

    for (const { name } of VERBS) expect(text).toContain(name);
    expect(text).toContain(shell === 'fish' ? '-l state -x' : '--state');
    expect(text).toContain('outcome-unknown');
  });

  test.each([
    [
      ['nereid', 'depl'],
      ['deploy', 'deployment', 'deployments'],
    ],
    [['nereid', 'lanes', '--st'], ['--state']],
    [['nereid', 'lanes', '--state', 'rev'], ['review']],
    [['nereid', 'logs', '-f', 'acme/infra/network', 'a'], ['apply']],
    [
      ['nereid', 'completion', ''],
      ['--help', 'bash', 'fish', 'zsh'],
    ],
    [['nereid', 'config', 'c'], ['check']],
  ])('completion in bash turns %j into %j', (words, found) => {
    const script = [
      completionFor('bash', VERBS),
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_nereid',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');

    const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });

    expect(printed.trim().split('\n').toSorted()).toEqual(found);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function neverHappens(): never {
  throw new Error('expected a verb');
}
