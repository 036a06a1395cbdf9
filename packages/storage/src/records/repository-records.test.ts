import { beforeEach, expect, test } from '@jest/globals';
import type { RepositoryRecord } from '@nereid/domain/root';
import { VersionConflictError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import { aFolder, aRepository } from '../testing.ts';
import { createRepositoryRecords, withMarks, type RepositoryRecords } from './repository-records.ts';

const record: RepositoryRecord = { version: 1, repository: aRepository, branch: 'main', undeployedSince: 'abc' };

let repositories: RepositoryRecords;

beforeEach(async () => {
  repositories = createRepositoryRecords(createFileStore(await aFolder()));
});

test('a repository of which nothing was kept has no record', async () => {
  expect(await repositories.read(aRepository)).toBeUndefined();
});

test('a record is read as it was written', async () => {
  await repositories.write(record, null);

  expect(await repositories.read(aRepository)).toMatchObject({ record });
});

test('what another wrote meanwhile is not written over', async () => {
  await repositories.write(record, null);

  await expect(repositories.write({ ...record, branch: 'other' }, null)).rejects.toThrow(VersionConflictError);
  await expect(repositories.write({ ...record, branch: 'other' }, 'a version before')).rejects.toThrow(
    VersionConflictError,
  );
});

test('one mark of a branch is changed, or taken away, and the other stays', () => {
  const stored = { record: { ...record, reconciledTo: 'def' }, version: '1' };

  expect(withMarks(stored, record, { reconciledTo: '123' })).toEqual({ ...record, reconciledTo: '123' });
  expect(withMarks(stored, record, { undeployedSince: undefined })).not.toHaveProperty('undeployedSince');
});

test('the marks of another branch say nothing', () => {
  const other = { ...record, branch: 'other' };

  expect(withMarks({ record, version: '1' }, other, { reconciledTo: '123' })).toEqual({
    version: 1,
    repository: aRepository,
    branch: 'other',
    reconciledTo: '123',
  });
});
