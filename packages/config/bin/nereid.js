#!/usr/bin/env node
import { withTypeScript } from './with-typescript.js';

await withTypeScript(async () => {
  const { runCli } = await import('../src/check/cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
});
