/** Which targets are refused, by their text and by where their names lead. */
import { describe, expect, test } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { parseAllowList } from "../../src/net/allow-list.js";
import { createTargetGuard, ForbiddenTarget, type GuardRules } from "../../src/net/target-guard.js";
import type { DeadLetter } from "../../src/push/options.js";
import { receiver } from "./receiver.js";
import { hook, rows, storeWith, work } from "./support.js";

const guard = (allow: readonly string[] = [], rules: Omit<GuardRules, "allow"> = {}) =>
  createTargetGuard({ ...rules, allow: parseAllowList(allow) });
const verdict = (url: string, allow?: readonly string[], rules?: Omit<GuardRules, "allow">): string =>
  guard(allow, rules).problem(url) ?? "fine";
/** Resolves every name to these addresses. */
const names =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

describe("refused by its text alone (A2A-13.2-e):", () => {
  test.each([
    ["loopback", "http://127.0.0.1/"],
    ["another loopback", "http://127.8.9.10/"],
    ["decimal", "http://2130706433/"],
    ["octal", "http://0177.0.0.1/"],
    ["octal at length", "http://017700000001/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["hexadecimal in pieces", "http://0x7f.0x0.0x0.0x1/"],
    ["short", "http://127.1/"],
    ["zero", "http://0/"],
    ["unspecified", "http://0.0.0.0/"],
    ["with a dot at its end", "http://127.0.0.1./"],
    ["percent-encoded", "http://%31%32%37.0.0.1/"],
    ["full-width dots", "http://127。0。0。1/"],
    ["circled digits", "http://①②⑦.⓪.⓪.①/"],
    ["backslashes", "http:\\\\127.0.0.1\\"],
    ["private, 10/8", "http://10.1.2.3/"],
    ["private, 172.16/12", "http://172.31.255.255/"],
    ["private, 192.168/16", "http://192.168.0.1/"],
    ["carrier-grade NAT", "http://100.64.0.1/"],
    ["metadata", "http://169.254.169.254/latest/meta-data"],
    ["metadata, decimal", "http://2852039166/"],
    ["metadata of a cloud with a public address", "http://168.63.129.16/"],
    ["metadata of a cloud in 192.0.0/24", "http://192.0.0.192/"],
    ["link-local", "http://169.254.1.1/"],
    ["benchmarks", "http://198.18.0.1/"],
    ["documentation", "http://203.0.113.7/"],
    ["6to4 relay", "http://192.88.99.1/"],
    ["multicast", "http://224.0.0.1/"],
    ["reserved", "http://240.0.0.1/"],
    ["broadcast", "http://255.255.255.255/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 loopback at length", "http://[0:0:0:0:0:0:0:1]/"],
    ["IPv6 unspecified", "http://[::]/"],
    ["IPv4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped, hexadecimal", "http://[::ffff:a9fe:a9fe]/"],
    ["IPv4-compatible", "http://[::127.0.0.1]/"],
    ["IPv4-translated", "http://[::ffff:0:127.0.0.1]/"],
    ["NAT64", "http://[64:ff9b::127.0.0.1]/"],
    ["NAT64 of a private network", "http://[64:ff9b:1::a00:1]/"],
    ["6to4", "http://[2002:7f00:1::]/"],
    ["Teredo", "http://[2001::1]/"],
    ["unique local", "http://[fd00:ec2::254]/"],
    ["IPv6 link-local", "http://[fe80::1]/"],
    ["site-local", "http://[fec0::1]/"],
    ["IPv6 multicast", "http://[ff02::1]/"],
    ["IPv6 documentation", "http://[2001:db8::1]/"],
    ["IPv6 that nobody has", "http://[4000::1]/"],
    ["localhost", "http://localhost/"],
    ["LOCALHOST with a dot", "https://LOCALHOST.:8080/"],
    ["a name below localhost", "http://a.localhost/"],
  ])("%s", (_, url) => {
    expect(verdict(url)).toContain("must be a public address");
  });

  test.each([
    ["file:///etc/passwd", "http or https"],
    ["ftp://example.com/", "http or https"],
    ["gopher://127.0.0.1:70/_x", "http or https"],
    ["javascript:alert(1)", "http or https"],
    ["//example.com/x", "http or https"],
    ["/hook", "http or https"],
    ["", "http or https"],
    ["https://user:pw@example.com/x", "credentials"],
    ["https://user@example.com/x", "credentials"],
    ["http://example.com@127.0.0.1/", "credentials"],
    ["https://example.com:22/", "port 22"],
    ["http://example.com:25/", "port 25"],
  ])("%s", (url, problem) => {
    expect(verdict(url)).toContain(problem);
  });

  test.each([
    "https://example.com/hook?a=1",
    "http://example.com/",
    "https://example.com:8443/",
    "http://8.8.8.8:3000/",
    "https://[2606:4700::1111]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::808:808]/",
    "https://localhost.example.com/",
    "https://172.32.0.1/",
  ])("not %s", (url) => {
    expect(verdict(url)).toBe("fine");
  });
});

describe("rules", () => {
  test("ports can be named, https demanded", () => {
    const ports = [443, 9000];
    expect(verdict("https://example.com/", [], { ports })).toBe("fine");
    expect(verdict("http://example.com:9000/", [], { ports })).toBe("fine");
    expect(verdict("http://example.com/", [], { ports })).toContain("port 80");
    expect(verdict("https://example.com:8443/", [], { ports })).toContain("port 8443");
    expect(verdict("http://example.com/", [], { requireHttps: true })).toContain("https");
    expect(verdict("https://example.com/", [], { requireHttps: true })).toBe("fine");
  });

  test("an allow-list names addresses, ranges, hosts and origins", () => {
    expect(verdict("http://127.0.0.1:3000/", ["127.0.0.1"])).toBe("fine");
    expect(verdict("http://127.0.0.2:3000/", ["127.0.0.1"])).not.toBe("fine");
    expect(verdict("http://2130706433/", ["127.0.0.1"])).toBe("fine");
    expect(verdict("http://[::ffff:127.0.0.1]/", ["127.0.0.1"])).toBe("fine");
    expect(verdict("http://10.9.9.9/", ["10.0.0.0/8"])).toBe("fine");
    expect(verdict("http://11.0.0.0.1.localhost/", ["10.0.0.0/8"])).not.toBe("fine");
    expect(verdict("http://192.168.1.1/", ["10.0.0.0/8"])).not.toBe("fine");
    expect(verdict("http://[fd00::5]/", ["fd00::/8", "::1"])).toBe("fine");
    expect(verdict("http://[::1]/", ["[::1]"])).toBe("fine");
    expect(verdict("http://10.1.2.3/", ["fd00::/8"])).not.toBe("fine");
    expect(verdict("http://[fd00::5]/", ["10.0.0.0/8"])).not.toBe("fine");
    expect(verdict("http://10.1.2.3/", ["::ffff:10.0.0.0/104"])).toBe("fine");
    expect(verdict("http://localhost:3000/", ["localhost"])).toBe("fine");
    expect(verdict("http://LOCALHOST/", ["localhost"])).toBe("fine");
    expect(verdict("http://localhost/", ["127.0.0.1"])).not.toBe("fine");
    const origin = ["http://hooks.localhost:81"];
    expect(verdict("http://hooks.localhost:81/x", origin, { ports: [443], requireHttps: true })).toBe("fine");
    expect(verdict("http://hooks.localhost:82/x", origin)).not.toBe("fine");
    expect(verdict("https://hooks.localhost:81/x", origin)).not.toBe("fine");
    // Of an allowed host the port still counts.
    expect(verdict("http://localhost:22/", ["localhost"])).toContain("port 22");
    // Credentials and other schemes are never allowed.
    expect(verdict("http://a:b@localhost/", ["localhost"])).toContain("credentials");
    expect(verdict("ftp://localhost/", ["localhost"])).toContain("http or https");
  });

  test.each([
    "",
    "10/8",
    "010.0.0.0/8",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0.0/8/8",
    "10.0.0.0/x",
    "http://example.com/path",
    "https://user:pw@example.com",
    "ftp://example.com",
    "example.com:8080",
    "*.example.com",
    "2130706433",
    "a b",
    ":::",
  ])("an entry that means nothing is refused: %j", (entry) => {
    try {
      parseAllowList(["example.com", entry]);
    } catch (error) {
      expect(isA2AError(error, "CONFIG") && error.message).toContain(JSON.stringify(entry));
      return;
    }
    expect.fail("it was taken");
  });
});

describe("names", () => {
  test("are refused where any address they have is out of bounds", async () => {
    const url = new URL("https://hook.example.com/");
    for (const addresses of [
      ["10.0.0.5"],
      ["8.8.8.8", "127.0.0.1"],
      ["::ffff:169.254.169.254"],
      ["fe80::1%eth0"],
    ]) {
      await expect(guard([], { lookup: names(...addresses) }).resolve(url)).rejects.toThrow(ForbiddenTarget);
    }
    const fine = [{ address: "8.8.8.8", family: 4 }];
    expect(await guard([], { lookup: names("8.8.8.8") }).resolve(url)).toEqual(fine);
    const allowed = guard(["hook.example.com"], { lookup: names("10.0.0.5") });
    expect(await allowed.resolve(url)).toEqual([{ address: "10.0.0.5", family: 4 }]);
    const range = guard(["10.0.0.0/8"], { lookup: names("10.0.0.5") });
    expect(await range.resolve(url)).toEqual([{ address: "10.0.0.5", family: 4 }]);
  });

  test("are not looked up where the URL is an address", async () => {
    const lookup = () => Promise.reject(new Error("looked up"));
    expect(await guard([], { lookup }).resolve(new URL("http://8.8.8.8/"))).toEqual([
      { address: "8.8.8.8", family: 4 },
    ]);
    expect(await guard([], { lookup }).resolve(new URL("https://[2606:4700::1]/"))).toEqual([
      { address: "2606:4700::1", family: 6 },
    ]);
    await expect(guard([], { lookup }).resolve(new URL("http://127.1/"))).rejects.toThrow(ForbiddenTarget);
  });
});

describe("at delivery (A2A-13.2-e)", () => {
  const letters: DeadLetter[] = [];
  const onDeadLetter = (letter: DeadLetter): void => void letters.push(letter);

  test("a name that leads inside is refused, for good and without a connection", async () => {
    letters.length = 0;
    await using inside = await receiver();
    const store = storeWith([hook("x", `http://hook.example.com:${String(inside.port)}/`)], rows("x", 1));
    await using worker = work(store, { allow: [], lookup: names("127.0.0.1"), onDeadLetter });
    await worker.idle();
    expect(inside.requests).toEqual([]);
    expect(letters).toMatchObject([{ n: 1, reason: expect.stringContaining("public address") }]);
    expect(store.pending()).toEqual([]);
  });

  test("an address in a stored URL is refused too: rules may have changed since", async () => {
    letters.length = 0;
    await using inside = await receiver();
    await using worker = work(storeWith([hook("x", inside.url)], rows("x", 1)), { allow: [], onDeadLetter });
    await worker.idle();
    expect(inside.requests).toEqual([]);
    expect(letters).toHaveLength(1);
  });

  test("a name is asked for once: what was checked is what is connected to", async () => {
    await using hooked = await receiver();
    let asked = 0;
    const lookup = () => {
      asked += 1;
      // A second answer would lead nowhere.
      return Promise.resolve([{ address: asked === 1 ? "127.0.0.1" : "10.255.255.1", family: 4 }]);
    };
    const url = `http://hook.example.com:${String(hooked.port)}/`;
    await using worker = work(storeWith([hook("x", url)], rows("x", 1)), { lookup });
    await worker.idle();
    expect(asked).toBe(1);
    expect(hooked.requests.map(({ headers }) => headers.host)).toEqual([
      `hook.example.com:${String(hooked.port)}`,
    ]);
  });

  test("a name that changes its mind between two events is refused at the second", async () => {
    letters.length = 0;
    await using hooked = await receiver();
    // No connection is kept, so each event asks anew.
    hooked.answers = [{ status: 200, headers: { Connection: "close" } }];
    await using inside = await receiver();
    const addresses = ["127.0.0.1", "127.0.0.2"];
    const lookup = () => Promise.resolve([{ address: addresses.shift() ?? "127.0.0.2", family: 4 }]);
    const url = `http://hook.example.com:${String(hooked.port)}/`;
    await using worker = work(storeWith([hook("x", url)], rows("x", 2)), { lookup, onDeadLetter });
    await worker.idle();
    expect(hooked.requests).toHaveLength(1);
    expect(letters).toMatchObject([{ n: 2 }]);
    expect(inside.requests).toEqual([]);
  });

  test("a redirect is no way in: it is not followed, and credentials stay", async () => {
    letters.length = 0;
    await using inside = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      await using hooked = await receiver({ status, headers: { Location: inside.url } });
      const authentication = { scheme: "Bearer", credentials: "secret" };
      const store = storeWith([hook("x", hooked.url, { authentication, token: "t" })], rows("x", 1));
      await using worker = work(store, { onDeadLetter });
      await worker.idle();
      expect(hooked.requests).toHaveLength(1);
    }
    expect(inside.requests).toEqual([]);
    expect(letters.map(({ status }) => status)).toEqual([301, 302, 303, 307, 308]);
  });

  test("a name that is not found is tried again", async () => {
    const lookup = () => Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
    const store = storeWith([hook("x", "https://hook.example.com/")], rows("x", 1));
    await using worker = work(store, { lookup });
    await worker.idle();
    expect(store.pending()).toEqual(["x1"]);
  });
});
