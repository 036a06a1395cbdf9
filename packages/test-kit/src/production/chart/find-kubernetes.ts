/**
 * Kubernetes as one program, and the database that it needs: from our cache; else built with Go, and from Debian's package. No registry
 * has its programs, and `go install` does not build them, because their module replaces others.
 */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unpackDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { installOnce } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';

const VERSION = '1.37.2';
const STAGED = VERSION.replace(/^1\./, '0.');

/** What it says of itself, which Helm compares with what a chart asks for. */
const NAMED_VERSION = `-X k8s.io/component-base/version.gitVersion=v${VERSION}`;

/** Twenty minutes on one core, and the download of 200 modules before it. */
const BUILD_TIMEOUT_MS = 90 * 60_000;

const ETCD = { name: 'etcd-server', programs: ['usr/bin/etcd'] };

const report = () => undefined;

/** By the names under which one program is started. */
const COMMANDS = {
  'kube-apiserver': 'apiserver.NewAPIServerCommand()',
  'kube-controller-manager': 'controllers.NewControllerManagerCommand()',
  'kube-scheduler': 'scheduler.NewSchedulerCommand()',
  'kube-proxy': 'proxy.NewProxyCommand()',
  kubelet: 'kubelet.NewKubeletCommand(context.Background())',
  kubectl: 'kubectl.NewDefaultKubectlCommand()',
} as const;

/** Returns the path of a program of Kubernetes. Throws `InstallError`. */
export async function findKubernetes(name: keyof typeof COMMANDS, env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), `kubernetes-${VERSION}`);
  await installOnce({ folder, report, install: (staging) => buildKubernetes(staging, env) });
  return path.join(folder, name);
}

/** Returns the path of etcd. Throws `InstallError`. */
export async function findEtcd(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), 'etcd-debian');
  await installOnce({ folder, report, install: (staging) => unpackDebianPackage({ ...ETCD, folder: staging, env }) });
  return path.join(folder, 'etcd');
}

const MAIN = `package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
${Object.entries(COMMANDS)
  .map(([name, command]) => `\t"${name}": func() *cobra.Command { return ${command} },`)
  .join('\n')}
}

func main() {
	os.Exit(cli.Run(commands[filepath.Base(os.Args[0])]()))
}
`;

async function buildKubernetes(staging: string, env: Environment): Promise<void> {
  const source = path.join(staging, 'source');
  await mkdir(source);
  const run = (...argv: [string, ...string[]]) =>
    runTool({ argv: ['env', '-C', source, ...argv], env, timeoutMs: BUILD_TIMEOUT_MS });
  const downloaded = JSON.parse(await run('go', 'mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`)) as {
    readonly GoMod: string;
  };
  await writeFile(path.join(source, 'main.go'), MAIN);
  await writeFile(path.join(source, 'go.mod'), moduleLike(await readFile(downloaded.GoMod, 'utf8')));
  const output = path.join(staging, 'kubernetes');
  await run('go', 'build', '-mod=mod', '-trimpath', `-ldflags=-s -w ${NAMED_VERSION}`, '-o', output, '.');
  for (const name of Object.keys(COMMANDS)) await symlink('kubernetes', path.join(staging, name));
  await rm(source, { recursive: true });
}

/** The modules that are kept in one repository are published under versions of their own. */
function moduleLike(goMod: string): string {
  const go = /^go .*$/m.exec(goMod)?.[0] ?? '';
  const staged = Array.from(goMod.matchAll(/^\s+(k8s\.io\/\S+) v0\.0\.0$/gm), ([, name = '']) => name);
  return [
    'module programs',
    go,
    `require k8s.io/kubernetes v${VERSION}`,
    ...staged.map((name) => `require ${name} v${STAGED}`),
    ...staged.map((name) => `replace ${name} => ${name} v${STAGED}`),
    '',
  ].join('\n');
}
