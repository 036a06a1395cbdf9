import type { Scope } from '../scope/scope.ts';

/** A time in which roots are deployed, or are not, as the server's file has it. */
export interface ChangeWindow extends Scope {
  /** Said on check runs. */
  readonly name: string;
  readonly kind: 'allow' | 'deny';
  /** A recurrence rule of RFC 5545, without DTSTART. Absent: it begins once. */
  readonly rrule?: string;
  /** `2026-12-19T18:00`, on the clocks of its time zone. */
  readonly dtstart: string;
  /** Elapsed time; `occurrencesBetween` says where clocks count instead. */
  readonly durationMs: number;
  /** A name of the IANA database. */
  readonly timezone: string;
  readonly doors: readonly WindowDoor[];
}

/** The work that a closed window holds back. */
export type WindowDoor = 'plan' | 'apply';
