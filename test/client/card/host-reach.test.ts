import { describe, expect, it } from "vitest";
import { hostReach } from "../../../src/client/card/host-reach.js";

/** As a URL has it: every spelling of an address is brought to one. */
const reachOf = (host: string): string => hostReach(new URL(`http://${host}/`).hostname);

describe("from where a host can be reached", () => {
  it.each([
    "127.0.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "0.0.0.1",
    "[::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[febf::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.1.2.3]",
    "[64:ff9b::10.1.2.3]",
    "localhost",
    "LOCALHOST.",
    "agent",
    "agent.localhost",
    "printer.local",
    "api.internal",
    "svc.internal.",
  ])("%s: from inside", (host) => {
    expect(reachOf(host)).toBe("private");
  });

  it.each([
    "example.com",
    "localhost.example.com",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "192.169.0.1",
    "169.253.0.1",
    "11.0.0.1",
    "[2001:4860:4860::8888]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::8.8.8.8]",
    "[fec0::1]",
  ])("%s: from everywhere", (host) => {
    expect(reachOf(host)).toBe("public");
  });

  it.each(["0.0.0.0", "0", "[::]"])("%s: from nowhere", (host) => {
    expect(reachOf(host)).toBe("nowhere");
  });
});
