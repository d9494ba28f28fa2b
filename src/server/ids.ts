let lastMs = 0;
let prefix = "";
let sequence = 0;

/**
 * A UUIDv7 in lower case: ordered by time, and within a millisecond by a counter, so ids made here sort as they were
 * made and a database appends to its index.
 */
export function newId(): string {
  const random = crypto.randomUUID();
  const now = Date.now();
  if (now > lastMs) {
    moveTo(now);
    // The upper half stays free, so that a busy millisecond has room to count.
    sequence = Number.parseInt(random.slice(0, 3), 16) & 0x7ff;
  } else if (++sequence > 0xfff) {
    moveTo(lastMs + 1);
    sequence = 0;
  }
  // The rest of a random UUID carries the variant and 62 random bits.
  return prefix + (0x7000 | sequence).toString(16) + random.slice(18);
}

function moveTo(ms: number): void {
  lastMs = ms;
  const time = ms.toString(16).padStart(12, "0");
  prefix = `${time.slice(0, 8)}-${time.slice(8)}-`;
}
