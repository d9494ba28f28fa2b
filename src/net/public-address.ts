import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;

/** Public by its number, private by its use: the host agent of a large cloud answers there. */
const CLOUD_HOST = "168.63.129.16";

/** An address as it would be reached: IPv4 that is written as IPv6 (mapped, or for a NAT64 gateway) is IPv4. */
export function reachedAddress(text: string): Address {
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address;
  const [first, second, third, fourth, fifth, sixth, high = 0, low = 0] = address.parts;
  const gateway = first === 0x64 && second === 0xff9b && !third && !fourth && !fifth && !sixth;
  return gateway ? new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]) : address;
}

/** Whether anybody on the internet may have this address: not private, loopback, link-local, multicast or reserved. */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== CLOUD_HOST;
  // Of IPv6 only 2000::/3 is given out: the rest is reserved whatever it is called.
  const [first = 0] = address.parts;
  return first >> 13 === 1;
}

/** Whether an address lies in a range. */
export function inRange(address: Address, [base, bits]: readonly [string, number]): boolean {
  const start = ipaddr.process(base);
  // Ranges of mapped addresses are written with the bits of IPv6.
  const mapped = start instanceof ipaddr.IPv4 && base.includes(":");
  return address.kind() === start.kind() && address.match(start, mapped ? Math.max(0, bits - 96) : bits);
}
