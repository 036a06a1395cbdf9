import { expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import { aFolder } from '../testing.ts';
import { createOwnNamespaces } from './own-namespaces.ts';

test('a namespace that was added stays, and one of the same name at another server is another one', async () => {
  const store = createFileStore(await aFolder());
  const namespaces = createOwnNamespaces(store);

  await namespaces.add({ id: '0d1f', name: 'default' });
  await namespaces.add({ id: '0d1f', name: 'default' });

  expect(await namespaces.has({ id: '0d1f', name: 'default' })).toBe(true);
  expect(await namespaces.has({ id: '9e2a', name: 'default' })).toBe(false);
  expect((await store.get('namespaces/0d1f'))?.body.toString()).toBe('default\n');
});
