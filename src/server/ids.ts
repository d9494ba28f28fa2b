/** Random bytes that are drawn at once: each draw costs more than the ids that it is enough for. */
const POOL = 2_048;
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const ZERO = 48;

const pool = new Uint8Array(POOL);
let drawn = POOL;
let lastMs = 0;
let sequence = 0;
/** Characters of the id: what does not change from one to the next stays. */
const codes: number[] = Array.from({ length: 36 }, (_, i) => (DASHES.has(i) ? 45 : ZERO));
const digits = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/**
 * A UUIDv7 in lower case: ordered by time, and within a millisecond by a counter, so ids made here sort as they were
 * made and a database appends to its index.
 */
export function newId(): string {
  // Two of the ten bytes begin the count of a millisecond.
  if (drawn > POOL - 10) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  const now = Date.now();
  if (now > lastMs) {
    moveTo(now);
    // The upper half stays free, so that a busy millisecond has room to count.
    sequence = ((byte() << 8) | byte()) & 0x7ff;
  } else if (++sequence > 0xfff) {
    moveTo(lastMs + 1);
    sequence = 0;
  }
  codes[14] = 55;
  codes[15] = digit(sequence >> 8);
  codes[16] = digit(sequence >> 4);
  codes[17] = digit(sequence);
  put(19, (byte() & 0x3f) | 0x80);
  put(21, byte());
  for (let at = 24; at < 36; at += 2) put(at, byte());
  // One flat text: of pieces that are joined, a store would keep the pieces too.
  return String.fromCharCode(...codes);
}

function moveTo(ms: number): void {
  lastMs = ms;
  // 48 bits: more than the operators on bits can hold.
  let rest = ms;
  for (let at = 12; at >= 0; at -= 1) {
    if (at === 8) continue;
    codes[at] = digit(rest % 16);
    rest = Math.floor(rest / 16);
  }
}

function put(at: number, value: number): void {
  codes[at] = digit(value >> 4);
  codes[at + 1] = digit(value);
}

function byte(): number {
  const value = pool[drawn] ?? 0;
  drawn += 1;
  return value;
}

const digit = (value: number): number => digits[value & 15] ?? ZERO;
