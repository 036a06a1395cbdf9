/** A time of day as files write it. */
export const TIME_OF_DAY = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** "18:00", in milliseconds since midnight. */
export function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}
