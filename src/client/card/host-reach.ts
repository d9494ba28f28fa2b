/** From where a host can be reached, judged by its name alone: nothing is resolved. */
export type HostReach = "public" | "private" | "nowhere";

/**
 * `nowhere` is the unspecified address, which means a listener, not a place. `private` are loopback, private, shared and
 * link-local addresses, names below `.local`, `.internal`, `.localhost` and the like, and names without a dot.
 * `hostname` is that of a `URL`, which has brought all spellings of an IPv4 address to one.
 */
export function hostReach(hostname: string): HostReach {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return ipv6Reach(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return ipv4Reach(host.split(".").map(Number));
  return !host.includes(".") || /\.(localhost|local|internal|intranet|lan|home|corp|test)$/.test(host)
    ? "private"
    : "public";
}

function ipv4Reach([a = 0, b = 0, c = 0, d = 0]: readonly number[]): HostReach {
  if (a + b + c + d === 0) return "nowhere";
  const inside =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168);
  return inside ? "private" : "public";
}

function ipv6Reach(host: string): HostReach {
  if (host === "::") return "nowhere";
  // An IPv4 address in IPv6 clothes: mapped, or behind the well-known NAT64 prefix. URLs write it in hex.
  const mapped = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host);
  if (mapped) {
    const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
    return ipv4Reach([high >> 8, high & 255, low >> 8, low & 255]);
  }
  return host === "::1" || /^(f[cd]|fe[89ab])/.test(host) ? "private" : "public";
}
