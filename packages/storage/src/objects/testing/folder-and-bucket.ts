import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from '@jest/globals';
import { startMoto, type Emulator } from '@nereid/test-kit';
import { aFolder } from '../../testing.ts';
import type { ObjectStore } from '../object-store.ts';
import { openObjectStore } from '../open-object-store.ts';

/** Installing moto, the first time, takes minutes on a slow line. */
const INSTALL_MS = 600_000;

type Opener = readonly [name: string, open: () => Promise<ObjectStore>];

/** Of the stores in which a file of tests tries what writers at the same time do: each opens an empty one. */
export function folderAndBucket(): readonly Opener[] {
  let moto: Emulator;
  beforeAll(async () => {
    const logFile = join(await aFolder(), 'moto.log');
    moto = await startMoto({ env: process.env, report: () => undefined, logFile });
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_REGION: 'eu-central-1' });
    const client = new S3Client({ endpoint: moto.endpoint, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'nereid' }));
  }, INSTALL_MS);
  afterAll(() => moto.stop());
  return [
    ['a folder', async () => openObjectStore(`file:${await aFolder()}`)],
    ['S3', () => openObjectStore(`s3://nereid/${randomUUID()}`, { s3: { endpoint: moto.endpoint } })],
  ];
}
