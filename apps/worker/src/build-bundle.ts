/** `node build-bundle.ts <file>`: writes the workflow bundle of an image, `dist/workflows.js` beside the code, or one for `--workflows`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from './platform/temporal/workflow-bundle.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write(
    'expected the path of the file to write, found nothing: node build-bundle.ts dist/workflows.js\n',
  );
  process.exit(2);
}

const { code } = await bundleWorkflows(new DefaultLogger('WARN'));
await mkdir(dirname(path), { recursive: true });
await writeFile(path, code);
