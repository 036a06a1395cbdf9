import { registerHooks } from 'node:module';

const GLOBALS = new URL('globals.js', import.meta.url).href;
/** The helpers of tests, by where they are. */
const HELPERS = /^file:(?!.*\/node_modules\/).*\/(testing|fixtures)(\/.*)?\.ts$/;

/** How often each was evaluated in this process: a name that comes again in each run finds what was compiled before. */
const times = new Map();
/** What the test file that runs imports them as. */
let own = new Map();

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    return HELPERS.test(resolved.url) ? { ...resolved, url: ownOf(resolved.url) } : resolved;
  },
});

function ownOf(url) {
  if (!own.has(url)) {
    times.set(url, (times.get(url) ?? 0) + 1);
    own.set(url, `${url}?${times.get(url)}`);
  }
  return own.get(url);
}

/** What is imported from here on has helpers of its own. */
export function freshHelpers() {
  own = new Map();
}
