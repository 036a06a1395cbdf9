import { registerHooks } from 'node:module';

const GLOBALS = new URL('globals.js', import.meta.url).href;
/** The helpers of tests, by where they are. */
const HELPERS = /^file:(?!.*\/node_modules\/).*\/(testing|fixtures)(\/.*)?\.ts$/;

let files = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    return HELPERS.test(resolved.url) ? { ...resolved, url: `${resolved.url}?${files}` } : resolved;
  },
});

/** What is imported from here on has helpers of its own. */
export function freshHelpers() {
  files += 1;
}
