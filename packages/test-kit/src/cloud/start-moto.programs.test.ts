import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import path from 'node:path';
import { folderOfThisFile } from '../testing/folders.ts';
import { InstallError } from '../toolchain/errors.ts';
import type { Emulator } from './emulator.ts';
import { startMoto } from './start-moto.ts';

const folder = folderOfThisFile();
let moto: Emulator;

beforeAll(async () => {
  moto = await startMoto({ env: process.env, report: () => undefined, logFile: path.join(folder, 'moto.log') });
}, 600_000);

afterAll(() => moto.stop());

test('a queue delivers what was sent to it', async () => {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const client = new SQSClient({ endpoint: moto.endpoint, region: 'eu-central-1', credentials });

  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'audit' }));
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'RUNNING' }));

  const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages?.map(({ Body }) => Body)).toEqual(['RUNNING']);
});

test('a machine without Python is told what to install', async () => {
  const start = startMoto({ env: { PATH: folder }, report: () => undefined, logFile: path.join(folder, 'none.log') });

  await expect(start).rejects.toThrow(InstallError);
  await expect(start).rejects.toThrow('install python3 with venv and pip');
});
