/**
 * The system calls that a command in a sandbox may make, as a program for the kernel's filter (seccomp): what Docker's default
 * allows a process without capabilities. Left out are the calls by which one process changes another one of the same user. Code of
 * a root could otherwise have Terraform, or the sandbox's first process, end with an exit code of its choice. The other way,
 * /proc/<pid>/mem, is closed by a /proc that can only be read. So are namespaces, which bubblewrap alone needs.
 */
import { endianness } from 'node:os';

/** Since Linux 5.1, a new call has the same number on all kinds of machines. */
const ALIKE = '424 434 436-437 439 441 444-449 451-458 462-466';

/** The numbers are those of the names in .config/production/worker-seccomp.json, without what bubblewrap needs. */
const KINDS = [
  {
    name: 'x86-64',
    architecture: 0xc000_003e,
    clone: 56,
    socket: 41,
    personality: 135,
    allowed: `0-40 42-100 102 104-133 137-138 140-152 157-160 162 186-211 213-226 228-235 240-245 247 251-255 257-271 273-278 280-297 299 301-303 305-307 309 314-319 322 324-334 ${ALIKE}`,
  },
  {
    name: 'arm64',
    architecture: 0xc000_00b7,
    clone: 220,
    socket: 198,
    personality: 92,
    allowed: `0-17 19-38 43-50 52-57 59 61-78 80-88 90-91 93-96 98-103 107-111 113-115 118-141 143-160 163-169 171-197 199-216 220-223 226-234 240 242-243 260-261 263-264 266-267 269 274-279 281 283-293 ${ALIKE}`,
  },
] as const;

/** A filter cannot read its flags. Programs use `clone` where it does not exist. */
const CLONE3 = 435;

/** The flags of `clone` that make namespaces: CLONE_NEW…. */
const NEW_NAMESPACES = 0x7e02_0000;

/** AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others reach past the network that a sandbox has, as AF_VSOCK does. */
const FAMILIES = [0, 1, 2, 10, 16];

/** Linux with 64 and with 32 bits, each also under a number of version 2.6; the last one asks which it is. */
const PERSONALITIES = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];

/** Where the kernel puts what the filter judges: `struct seccomp_data`. The lower half of the first argument. */
const CALL_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENT_AT = 16;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER = 0x25;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
/** With the error EPERM. */
const REFUSE = 0x0005_0001;
/** With the error ENOSYS, as of a call that this kernel does not have yet: programs then use an older one. */
const ABSENT = 0x0005_0026;

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** How many instructions are skipped when the comparison holds, and when it does not. */
  readonly jumps?: readonly [number, number];
}

/** For `bwrap --seccomp`. A kind of program that is not listed may make no call, so that it does not even start. */
export function systemCallFilter(): Uint8Array {
  const kinds = KINDS.flatMap((kind) => {
    const rules = rulesFor(kind);
    return [{ code: JUMP_IF_EQUAL, value: kind.architecture, jumps: [0, rules.length] } as const, ...rules];
  });
  return encode([{ code: LOAD, value: ARCHITECTURE_AT }, ...kinds, { code: RETURN, value: REFUSE }]);
}

type Range = readonly [first: number, last: number];

/** From the lowest to the highest. */
function rangesIn(text: string): readonly Range[] {
  return text.split(' ').map((part) => {
    const [first = '', last = first] = part.split('-');
    return [Number(first), Number(last)];
  });
}

function rulesFor({ clone, socket, personality, allowed }: (typeof KINDS)[number]): readonly Instruction[] {
  return [
    { code: LOAD, value: CALL_AT },
    { code: JUMP_IF_EQUAL, value: clone, jumps: [0, 4] },
    { code: LOAD, value: ARGUMENT_AT },
    { code: JUMP_IF_ANY_BIT, value: NEW_NAMESPACES, jumps: [0, 1] },
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: ALLOW },
    ...onlyWith(socket, FAMILIES),
    ...onlyWith(personality, PERSONALITIES),
    { code: JUMP_IF_EQUAL, value: CLONE3, jumps: [0, 1] },
    { code: RETURN, value: ABSENT },
    ...rangesIn(allowed).flatMap(([first, last]): readonly Instruction[] => [
      { code: JUMP_IF_AT_LEAST, value: first, jumps: [1, 0] },
      { code: RETURN, value: REFUSE },
      { code: JUMP_IF_GREATER, value: last, jumps: [1, 0] },
      { code: RETURN, value: ALLOW },
    ]),
    { code: RETURN, value: ABSENT },
  ];
}

/** Allows a call with these first arguments, of which the kernel looks at the lower half alone. */
function onlyWith(call: number, values: readonly number[]): readonly Instruction[] {
  return [
    { code: JUMP_IF_EQUAL, value: call, jumps: [0, values.length + 3] },
    { code: LOAD, value: ARGUMENT_AT },
    ...values.map((value, index) => ({ code: JUMP_IF_EQUAL, value, jumps: [values.length - index, 0] }) as const),
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: ALLOW },
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
