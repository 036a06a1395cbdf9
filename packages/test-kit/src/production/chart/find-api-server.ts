/**
 * An API server of Kubernetes and the database that it needs: from our cache; else built with Go, and from Debian's package. No registry
 * has the server as a program, and `go install` does not build it, because its module replaces others.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unpackDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { installOnce } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';

const VERSION = '1.37.2';
const STAGED = VERSION.replace(/^1\./, '0.');

/** What it says of itself, which Helm compares with what a chart asks for. */
const NAMED_VERSION = `-X k8s.io/component-base/version.gitVersion=v${VERSION}`;

/** Ten minutes on one core, and the download of 150 modules before it. */
const BUILD_TIMEOUT_MS = 60 * 60_000;

const ETCD = { name: 'etcd-server', programs: ['usr/bin/etcd'] };

const report = () => undefined;

/** Returns the path of kube-apiserver. Throws `InstallError`. */
export async function findApiServer(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), `kube-apiserver-${VERSION}`);
  await installOnce({ folder, report, install: (staging) => buildApiServer(staging, env) });
  return path.join(folder, 'kube-apiserver');
}

/** Returns the path of etcd. Throws `InstallError`. */
export async function findEtcd(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), 'etcd-debian');
  await installOnce({ folder, report, install: (staging) => unpackDebianPackage({ ...ETCD, folder: staging, env }) });
  return path.join(folder, 'etcd');
}

const MAIN = `package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
`;

async function buildApiServer(staging: string, env: Environment): Promise<void> {
  const source = path.join(staging, 'source');
  await mkdir(source);
  const run = (...argv: [string, ...string[]]) =>
    runTool({ argv: ['env', '-C', source, ...argv], env, timeoutMs: BUILD_TIMEOUT_MS });
  const downloaded = JSON.parse(await run('go', 'mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`)) as {
    readonly GoMod: string;
  };
  await writeFile(path.join(source, 'main.go'), MAIN);
  await writeFile(path.join(source, 'go.mod'), moduleLike(await readFile(downloaded.GoMod, 'utf8')));
  const output = path.join(staging, 'kube-apiserver');
  await run('go', 'build', '-mod=mod', '-trimpath', `-ldflags=-s -w ${NAMED_VERSION}`, '-o', output, '.');
  await rm(source, { recursive: true });
}

/** The modules that are kept in one repository are published under versions of their own. */
function moduleLike(goMod: string): string {
  const go = /^go .*$/m.exec(goMod)?.[0] ?? '';
  const staged = Array.from(goMod.matchAll(/^\s+(k8s\.io\/\S+) v0\.0\.0$/gm), ([, name = '']) => name);
  return [
    'module api-server',
    go,
    `require k8s.io/kubernetes v${VERSION}`,
    ...staged.map((name) => `require ${name} v${STAGED}`),
    ...staged.map((name) => `replace ${name} => ${name} v${STAGED}`),
    '',
  ].join('\n');
}
