/** Logins from a terminal that have begun: the terminal keeps the provider's code, sealed, and any console of ours can go on. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Sealer } from '../session/sealer.ts';

const DeviceCode = z.object({
  /** Of this login. */
  id: z.uuid(),
  /** As the provider gave it. */
  code: z.string(),
});
export type DeviceCode = z.infer<typeof DeviceCode>;

export interface DeviceCodes {
  seal(code: string, lifeS: number): Promise<string>;
  /** Undefined for what is of another installation, is none, or has expired. */
  open(text: string): Promise<DeviceCode | undefined>;
}

export function createDeviceCodes(sealer: Sealer): DeviceCodes {
  return {
    seal: (code, lifeS) => sealer.seal('device', { id: randomUUID(), code }, lifeS),
    open: async (text) => DeviceCode.safeParse(await sealer.open('device', text)).data,
  };
}
