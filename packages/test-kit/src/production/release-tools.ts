/** The programs that try a release, from our cache or built with Go. */
import type { Environment } from '../toolchain/environment.ts';
import { findGoTool } from './chart/tools.ts';

const ACTIONLINT = { version: '1.7.12', module: 'github.com/rhysd/actionlint/cmd/actionlint' };
const CRANE = { version: '0.22.1', module: 'github.com/google/go-containerregistry/cmd/crane' };

/** Returns the path of what judges workflows of GitHub. Throws `ToolNotFoundError`, like the other. */
export const findActionlint = (env: Environment) => findGoTool('actionlint', ACTIONLINT, env);

/** Of a client of registries, which is a registry itself with `registry serve`. */
export const findCrane = (env: Environment) => findGoTool('crane', CRANE, env);
