import { describe, expect, test } from '@jest/globals';
import { nereidInside } from '../testing/run.ts';
import { aFolder, aGitHub, answersAt, filesIn } from './testing.ts';

describe('nereid setup --dry-run', () => {
  test('says what would be made, and makes nothing', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    const { status, stdout } = await nereidInside(['setup', folder, ...answersAt(github), '--dry-run']);

    expect([status, filesIn(folder), github.requestCounts()]).toEqual([0, {}, []]);
    expect(stdout).toContain('\n    "checks": "write"');
    expect(stdout).toMatch(/^Nobody could use nereid doctor .* --operator LOGIN\.$/m);
    expect(stdout).toContain('gateway-key.pem: would be made');
    expect(stdout).toContain(`At ${github.url}/organizations/acme/settings/apps/new, you would be asked`);
  });

  test('asks GitHub for nothing, not even for the id of the operator', async () => {
    const folder = aFolder();
    const nowhere = answersAt({ url: 'http://127.0.0.1:1' });

    const said = await nereidInside(['setup', folder, ...nowhere, '--operator', 'olga', '--dry-run']);

    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.stdout).toContain('operators: ["olga#ID"]');
    expect(said.stdout).toMatch(/^GitHub would be asked for the id of olga\.$/m);
    expect(filesIn(folder)).toEqual({});
  });
});
