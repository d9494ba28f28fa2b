/** Things by id: the same answers as a map of them, however they come and go. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { IdTable } from "../../src/id-table.js";

class Thing {
  readonly id: string;
  nextById: Thing | undefined;

  constructor(id: string) {
    this.id = id;
  }
}

it("has what was put in last under an id, and only that, after any steps", () => {
  // Few ids, some of which end alike, so that chains are long and things replace each other.
  const id = fc
    .tuple(fc.nat(300), fc.constantFrom("", "-with-the-same-end"))
    .map(([n, end]) => `${String(n)}${end}`);
  const step = fc.record({ put: fc.boolean(), id });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: "max" }), (steps) => {
      const [table, map] = [new IdTable<Thing>(), new Map<string, Thing>()];
      const seen: Thing[] = [];
      for (const { put, id: name } of steps) {
        const known = map.get(name);
        if (put) {
          const thing = new Thing(name);
          seen.push(thing);
          table.add(thing);
          map.set(name, thing);
        } else if (known !== undefined) {
          table.delete(known);
          map.delete(name);
        }
      }
      expect(table.size).toBe(map.size);
      expect(new Set(table.all())).toEqual(new Set(map.values()));
      for (const thing of seen) {
        expect(table.get(thing.id)).toBe(map.get(thing.id));
        expect(table.has(thing)).toBe(map.get(thing.id) === thing);
      }
    }),
  );
});

it("what another one has replaced is not taken out a second time", () => {
  const table = new IdTable<Thing>();
  const [old, now] = [new Thing("a"), new Thing("a")];
  table.add(old);
  table.add(now);
  table.delete(old);
  expect([table.size, table.get("a")]).toEqual([1, now]);
});
