/** The service files for Cloud Run, as far as tests read them. */
import { parse } from 'yaml';
import type { Container } from './chart/render.ts';
import { readRepositoryFile } from '../repository.ts';

export const CLOUD_RUN = '.config/production/cloud-run';

export interface CloudRunService {
  readonly annotations: Readonly<Record<string, string>>;
  readonly container: CloudRunContainer;
  readonly timeoutSeconds: number;
  /** How many requests it sends to one container at a time. */
  readonly concurrency: number;
  /** The names in Secret Manager, with the path of the file that each becomes. */
  readonly files: ReadonlyMap<string, string>;
}

interface CloudRunContainer extends Container {
  readonly ports: readonly { readonly containerPort: number }[];
  readonly resources: { readonly limits: { readonly cpu: string; readonly memory: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly secret: { readonly secretName: string; readonly items: readonly { readonly path: string }[] };
}

/** The shape of a service of Knative, which Cloud Run takes. */
interface Service {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: {
        readonly timeoutSeconds: number;
        readonly containerConcurrency: number;
        readonly containers: readonly [CloudRunContainer];
        readonly volumes: readonly Volume[];
      };
    };
  };
}

export async function readCloudRunService(name: 'gateway' | 'console'): Promise<CloudRunService> {
  const { metadata, spec } = parse(await readRepositoryFile(`${CLOUD_RUN}/${name}.yaml`)) as Service; // Ours.
  const { containers, volumes, timeoutSeconds, containerConcurrency: concurrency } = spec.template.spec;
  const [container] = containers;
  const mounts = new Map(container.volumeMounts.map((mount) => [mount.name, mount.mountPath]));
  const files = volumes.flatMap(({ name: volume, secret }) =>
    secret.items.map((item) => [secret.secretName, `${mounts.get(volume) ?? '(not mounted)'}/${item.path}`] as const),
  );
  return {
    annotations: { ...metadata.annotations, ...spec.template.metadata.annotations },
    container,
    timeoutSeconds,
    concurrency,
    files: new Map(files),
  };
}
