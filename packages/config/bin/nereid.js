#!/usr/bin/env node
// The part of `nereid` that asks no console, for images: they have this package, and not the command line.
import { withTypeScript } from './with-typescript.js';

await withTypeScript(async () => {
  const { runCli } = await import('../src/check/cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
});
