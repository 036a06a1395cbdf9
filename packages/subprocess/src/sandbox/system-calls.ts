/**
 * The system calls that no command in a sandbox may make, as a program for the kernel's filter (seccomp): those by which one
 * process changes another one of the same user. Code of a root could otherwise have Terraform, or the sandbox's first process,
 * end with an exit code of its choice. The other way, /proc/<pid>/mem, is closed by a /proc that can only be read.
 */
import { endianness } from 'node:os';

/** The calls `ptrace`, `process_vm_writev` and `pidfd_getfd`, whose numbers differ by the kind of program. */
const REFUSED = [
  { name: 'x86-64', architecture: 0xc000_003e, calls: [101, 311, 438] },
  { name: 'i386', architecture: 0x4000_0003, calls: [26, 348, 438] },
  { name: 'arm64', architecture: 0xc000_00b7, calls: [117, 271, 438] },
  { name: 'arm', architecture: 0x4000_0028, calls: [26, 377, 438] },
] as const;

/** Programs of x32 call with numbers from here on; no other kind of program has so many calls. */
const X32_CALLS = 0x4000_0000;

/** Where the kernel puts what the filter judges: `struct seccomp_data`. */
const CALL_AT = 0;
const ARCHITECTURE_AT = 4;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
/** With the error EPERM. */
const REFUSE = 0x0005_0001;

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** How many instructions are skipped when the comparison holds, and when it does not. */
  readonly jumps?: readonly [number, number];
}

/** For `bwrap --seccomp`. A kind of program that is not listed may make no call, so that it does not even start. */
export function systemCallFilter(): Uint8Array {
  const kinds = REFUSED.flatMap(({ architecture, calls }) => {
    const rules = rulesFor(calls);
    return [{ code: JUMP_IF_EQUAL, value: architecture, jumps: [0, rules.length] } as const, ...rules];
  });
  return encode([{ code: LOAD, value: ARCHITECTURE_AT }, ...kinds, { code: RETURN, value: REFUSE }]);
}

function rulesFor(calls: readonly number[]): readonly Instruction[] {
  const comparisons = [
    { code: JUMP_IF_AT_LEAST, value: X32_CALLS },
    ...calls.map((value) => ({ code: JUMP_IF_EQUAL, value })),
  ];
  return [
    { code: LOAD, value: CALL_AT },
    // A match skips the comparisons that are left, and the permission.
    ...comparisons.map((comparison, index) => ({ ...comparison, jumps: [comparisons.length - index, 0] as const })),
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: REFUSE },
  ];
}

/** As `struct sock_filter`, in the byte order of this machine. */
function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  const isLittle = endianness() === 'LE';
  instructions.forEach(({ code, value, jumps: [yes, no] = [0, 0] }, index) => {
    bytes.setUint16(index * 8, code, isLittle);
    bytes.setUint8(index * 8 + 2, yes);
    bytes.setUint8(index * 8 + 3, no);
    bytes.setUint32(index * 8 + 4, value, isLittle);
  });
  return new Uint8Array(bytes.buffer);
}
