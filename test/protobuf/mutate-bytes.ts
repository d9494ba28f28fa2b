import type { Random } from "../hostile/random.js";

/** Bytes that mean something to a reader: ends of varints, tags of odd kinds, lengths at their bounds. */
const ODD: readonly (readonly number[])[] = [
  [0x00],
  [0x7f],
  [0x80],
  [0xff],
  [0x0b],
  [0x0c],
  [0x0f],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
  [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07],
  [0xed, 0xa0, 0x80],
  [0xc0, 0x80],
  [0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
];

/** One to four changes of bytes: flipped, set, put in, cut out, doubled, taken from another message, nested in themselves. */
export function mutateBytes(bytes: Uint8Array, others: readonly Uint8Array[], random: Random): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  for (let left = 1 + random.below(4); left > 0; left--)
    changed = random.pick(MUTATIONS)(changed, others, random);
  return changed;
}

type Mutation = (bytes: Buffer, others: readonly Uint8Array[], random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  (bytes, _, random) => {
    const at = random.below(bytes.length + 1);
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  (bytes, _, random) => {
    const copy = Buffer.from(bytes);
    copy[random.below(bytes.length + 1)] = random.below(256);
    return copy;
  },
  (bytes, _, random) => splice(bytes, random, 0, Buffer.from(random.pick(ODD))),
  (bytes, _, random) => splice(bytes, random, 1 + random.below(8), Buffer.from(random.pick(ODD))),
  (bytes, _, random) => splice(bytes, random, 1 + random.below(8), Buffer.alloc(0)),
  (bytes, _, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, _, random) => {
    const [start, end] = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort(
      (a, b) => a - b,
    );
    return splice(bytes, random, 0, bytes.subarray(start, end));
  },
  (bytes, others, random) => Buffer.concat([bytes, random.pick(others)]),
  (bytes, others, random) => splice(bytes, random, 0, Buffer.from(random.pick(others))),
  (bytes, _, random) => {
    let nested = bytes.subarray(0, 60);
    const tag = random.pick([0x0a, 0x12, 0x1a, 0x22, 0x2a, 0x32]);
    for (let level = random.below(130); level > 0; level--)
      nested = Buffer.concat([
        Buffer.from(
          nested.length < 128 ? [tag, nested.length] : [tag, (nested.length & 127) | 128, nested.length >> 7],
        ),
        nested,
      ]);
    return nested;
  },
];

function splice(bytes: Buffer, random: Random, remove: number, insert: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
}
